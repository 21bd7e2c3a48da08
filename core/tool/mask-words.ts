/** Masks secrets in a command, an environment, headers or an address, and returns which texts are secret. */
import { decodePercents } from '../text/uri.ts'
import { isSecretName } from './is-secret.ts'
import { mask, maskShapes } from './mask.ts'

export interface Masked {
  readonly visible: readonly string[]
  /** The secret texts that were masked. */
  readonly secrets: readonly string[]
}

/** `${env:NAME}` and `$NAME` name the variable of a secret. */
const reference = /^\$(?:\{[^{}]*\}|\w+)$/

/** Collects the secrets that it masks. */
class Hider {
  readonly secrets = new Set<string>()

  readonly hide = (value: string): string => {
    if (value === '' || value === mask || reference.test(value)) return value
    this.secrets.add(value)
    return mask
  }

  /** Keeps the scheme of `Bearer xyz`, which is not a secret. */
  hideHeader(value: string): string {
    const [, scheme, secret] = /^(Bearer|Basic|Token|Digest)\s+(.+)$/is.exec(value) ?? []
    return scheme === undefined || secret === undefined ? this.hide(value) : `${scheme} ${this.hide(secret)}`
  }

  hideShapes(text: string): string {
    return maskShapes(text, this.hide)
  }
}

/** Returns the words of a command with secrets masked. The program itself (the first word) is never a value. */
export function maskWords(words: readonly string[]): Masked {
  const hider = new Hider()
  const visible = words.map((word, index) => {
    const before = words[index - 1]
    const takesValue = before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretName(before)
    return takesValue && !word.startsWith('-') ? hider.hide(word) : maskWord(word, hider)
  })
  return { visible, secrets: [...hider.secrets] }
}

function maskWord(word: string, hider: Hider): string {
  const [, name = '', equals = '', value = ''] = /^(-{0,2}[A-Za-z][\w-]*)(=)(.*)$/s.exec(word) ?? []
  if (equals !== '' && isSecretName(name)) return `${name}=${hider.hide(value)}`
  const header = /^([A-Za-z][\w-]{0,100})(:\s*)(?!\/\/)(.+)$/s.exec(word)
  if (header !== null && isSecretName(header[1] ?? ''))
    return `${header[1]}${header[2]}${hider.hideHeader(header[3] ?? '')}`
  return maskMembers(hider.hideShapes(word), hider)
}

/** Masks members of JSON in a word: `{"token":"x"}`. */
function maskMembers(word: string, hider: Hider): string {
  return word.replace(
    /"([\w-]{1,100})"(\s{0,20}:\s{0,20})"((?:[^"\\]|\\.){1,4000})"/g,
    (whole, name, colon, value) => (isSecretName(name) ? `"${name}"${colon}"${hider.hide(value)}"` : whole),
  )
}

/** A value that only names a variable is not a secret: `${env:NAME}`, `Bearer ${env:NAME}`. */
const isReference = (value: string) => /^(?:\w+ )?\$\{[^{}]*\}$/.test(value)

/** Returns an environment or headers with every literal value masked. */
export function maskValues(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const masked = Object.entries(record).map(([name, value]) => [
    name,
    value === '' || isReference(value) ? value : mask,
  ])
  return Object.fromEntries(masked)
}

/** Returns the values of an environment or headers whose names are secret, and the secrets inside addresses. */
export function secretValues(record: Readonly<Record<string, string>>): readonly string[] {
  const hider = new Hider()
  for (const [name, value] of Object.entries(record)) {
    if (isSecretName(name)) hider.hideHeader(value)
    else hider.hideShapes(value)
  }
  return [...hider.secrets]
}

/** Returns the secrets of an address: its password, and secret values of its query (as written, and decoded). */
export function secretsOfAddress(address: string): readonly string[] {
  const hider = new Hider()
  hider.hideShapes(address)
  return [...hider.secrets].flatMap(secret => {
    const plain = decodePercents(secret)
    return plain === secret ? [secret] : [secret, plain]
  })
}
