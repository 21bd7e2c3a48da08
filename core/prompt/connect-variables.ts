/**
 * The texts of a server's configuration, with each secret and each reference to a variable as a part of its own, so
 * that every client can have its own syntax for them.
 */
import { isSecretName } from '../tool/is-secret.ts'
import { mask, maskWords } from '../tool/mask.ts'

export interface Variable {
  /** The name of an environment variable: letters, digits and `_`. */
  readonly name: string
  /** A secret, or an input that the source's own file asks for: a client that can ask asks for it. */
  readonly isAsked: boolean
  /** Its value if it is not set. */
  readonly otherwise?: string
}

export type Text = readonly (string | Variable)[]

export type Texts = readonly (readonly [name: string, text: Text])[]

/** A reference as a configuration of Toolscope writes it (server/mcp-client/open-server.ts reads them). */
const reference = /\$\{(?:input:([^{}]+)|(?:env:)?([A-Za-z_]\w*)(?::-([^{}]*))?)\}/g

const identifier = /^[A-Za-z_]\w*$/

/** Returns the text as a name of an environment variable: `X-Api-Key` → `X_API_KEY`. */
export function toVariableName(text: string): string {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return name === '' ? 'SECRET' : name.replace(/^(?=\d)/, '_')
}

/** Replaces the secrets of one server by variables. Equal secrets of one name share a variable. */
export class SecretHider {
  /** The secret of each variable. */
  private readonly names: Map<string, string>

  /** @param texts all texts of the server: a variable that they name is not used for a secret */
  constructor(texts: readonly string[]) {
    const named = texts.flatMap(text => listVariables([toText(text)]))
    this.names = new Map(named.map(({ name }) => [name, '']))
  }

  /** Returns the words of a command: the value of `--api-key` becomes `API_KEY`. */
  words(words: readonly string[]): readonly Text[] {
    const { visible: shown } = maskWords(words)
    return words.map((word, index) => {
      const before = words[index - 1] ?? ''
      const own = /^(?:-{0,2}([A-Za-z][\w-]*)[=:]|"?([\w-]+)"?\s*:)/.exec(word)
      const name = own?.[1] ?? own?.[2] ?? (/^--?[A-Za-z]/.test(before) ? before : 'SECRET')
      return this.maskedText(shown[index] ?? word, { name: toVariableName(name), secret: word })
    })
  }

  /** Returns an address: the secrets of its login and of its query become variables. */
  address(url: string): Text {
    const [shown = url] = maskWords([url]).visible
    const name = new RegExp(`[?&#;]([\\w.-]+)=${mask}`).exec(shown)?.[1] ?? 'LOGIN'
    return this.maskedText(shown, { name: toVariableName(name), secret: url })
  }

  /** Returns the variables of an environment. @param isAlways every literal value is secret, whatever its name */
  environment(record: Readonly<Record<string, string>> = {}, isAlways = false): Texts {
    const toName = (key: string) => (identifier.test(key) ? key : toVariableName(key))
    return Object.entries(record).map(([key, value]) => [
      key,
      this.value(toName(key), value, isAlways || isSecretName(key)),
    ])
  }

  /** Returns headers: every literal value is secret. */
  headers(record: Readonly<Record<string, string>> = {}): Texts {
    return Object.entries(record).map(([key, value]) => [key, this.value(toVariableName(key), value, true)])
  }

  private value(name: string, value: string, isSecret: boolean): Text {
    if (!isSecret) {
      const [, shown = value] = maskWords(['-', value]).visible
      return this.maskedText(shown, { name, secret: value })
    }
    const [, scheme = '', rest = ''] = /^((?:Bearer|Basic|Token|Digest)\s+)?(.*)$/is.exec(value) ?? []
    const literals = toText(rest).filter(part => typeof part === 'string')
    if (rest === '' || literals.length === 0) return toText(value)
    return scheme === '' ? [this.variable(name, value)] : [scheme, this.variable(name, rest)]
  }

  /** Returns a masked text with a variable in place of each mask. */
  private maskedText(
    shown: string,
    { name, secret }: { readonly name: string; readonly secret: string },
  ): Text {
    return shown
      .split(mask)
      .flatMap((part, index) => [
        ...(index === 0 ? [] : [this.variable(name, `${secret}#${index}`)]),
        ...toText(part),
      ])
  }

  private variable(name: string, secret: string): Variable {
    for (let count = 1; ; count += 1) {
      const own = count === 1 ? name : `${name}_${count}`
      const known = this.names.get(own)
      if (known !== undefined && known !== secret) continue
      this.names.set(own, secret)
      return { name: own, isAsked: true }
    }
  }
}

/** Returns a text with its references as variables. */
function toText(text: string): Text {
  const parts: (string | Variable)[] = []
  let end = 0
  for (const { 0: whole, 1: input, 2: name = '', 3: otherwise, index } of text.matchAll(reference)) {
    if (index > end) parts.push(text.slice(end, index))
    parts.push(
      input === undefined
        ? { name, isAsked: false, ...(otherwise === undefined ? {} : { otherwise }) }
        : { name: toVariableName(input), isAsked: true },
    )
    end = index + whole.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** Returns the variables of texts, each name once. */
export function listVariables(texts: readonly Text[]): readonly Variable[] {
  const all = texts.flat().filter(part => typeof part !== 'string')
  return [...new Map(all.map(variable => [variable.name, variable])).values()]
}
