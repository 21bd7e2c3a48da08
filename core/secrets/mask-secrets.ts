/**
 * Secrets that stand in a command, an address, an environment or headers: how each is shown, and which texts must not
 * be shown anywhere else. A guess by names and well-known shapes; what nobody could tell for a secret stays.
 */
import { isSecretName } from './secrets.ts'

/** What stands in a secret's place. */
export const mask = '•••'

export interface Masked {
  readonly shown: readonly string[]
  /** The masked texts themselves. */
  readonly secrets: readonly string[]
}

/** Options that name where a secret lies, or speak about it, rather than hold it. */
const aboutSecret = /[-_](?:file|path|dir|env|name|url|type|ttl|limit|budget)$/i
/** `${env:NAME}` and `$NAME` say where the secret comes from; they are none. */
const reference = /^\$(?:\{[^{}]*\}|\w+)$/

const namesSecret = (name: string) => isSecretName(name) && !aboutSecret.test(name)

/** The words of a command, as they may be shown. The program itself (the first word) is never a value. */
export function maskWords(words: readonly string[]): Masked {
  const secrets = new Set<string>()
  const shown = words.map((word, index) => {
    const before = words[index - 1]
    const takesValue = before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before) && namesSecret(before)
    if (takesValue && !word.startsWith('-')) return hide(word, secrets)
    return maskWord(word, secrets)
  })
  return { shown, secrets: [...secrets] }
}

function maskWord(word: string, secrets: Set<string>): string {
  const [, name = '', equals = '', value = ''] = /^(-{0,2}[A-Za-z][\w-]*)(=)(.*)$/s.exec(word) ?? []
  if (equals !== '' && namesSecret(name)) return `${name}=${hide(value, secrets)}`
  const header = /^([A-Za-z][\w-]{0,100})(:\s*)(?!\/\/)(.+)$/s.exec(word)
  if (header !== null && isSecretName(header[1] ?? ''))
    return `${header[1]}${header[2]}${hideHeader(header[3] ?? '', secrets)}`
  return maskJson(maskShapes(word, secrets), secrets)
}

/** The values of an environment or of headers that are secret by their name, and the addresses' own secrets. */
export function secretValues(record: Readonly<Record<string, string>>): readonly string[] {
  const secrets = new Set<string>()
  for (const [name, value] of Object.entries(record)) {
    if (namesSecret(name) || /^cookie$/i.test(name)) hideHeader(value, secrets)
    else maskShapes(value, secrets)
  }
  return [...secrets]
}

/** What an address holds of secrets: a password, values of its query (as they stand there, and decoded). */
export function secretsOfAddress(address: string): readonly string[] {
  const secrets = new Set<string>()
  maskShapes(address, secrets)
  return [...secrets].flatMap(secret => {
    const plain = decoded(secret)
    return plain === secret ? [secret] : [secret, plain]
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Texts shorter than this stand in too many places by chance to be looked for. */
const shortest = 4

/**
 * A text of which it is not known what it says (a log, an error), without `secrets` and without what has the shape of
 * a secret: `Bearer …`, a password in an address, the tokens of well-known services.
 */
export function maskText(text: string, secrets: readonly string[]): string {
  const known = [...secrets]
    .filter(secret => secret.length >= shortest)
    .sort((one, other) => other.length - one.length)
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  return maskShapes(without, new Set())
}

const shapes: readonly (readonly [RegExp, (parts: readonly string[], secrets: Set<string>) => string])[] = [
  [
    /\b(https?|wss?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)(:\/\/)([^\s/@?#'"]{1,500})@/gi,
    ([, scheme, slashes, who = ''], secrets) => {
      const [user = '', ...password] = who.split(':')
      if (password.length > 0) hide(password.join(':'), secrets)
      else hide(user, secrets)
      return `${scheme}${slashes}${mask}@`
    },
  ],
  [
    /([?&#;])([\w.-]{1,100})(=)([^&#\s'"]{1,4000})/g,
    ([whole = '', sign, name = '', equals, value = ''], secrets) =>
      namesSecret(name) || /^(?:key|sig|signature|auth|code)$/i.test(name)
        ? `${sign}${name}${equals}${hide(value, secrets)}`
        : whole,
  ],
  [
    /\b(Bearer|Basic)([ \t]+)([\w.~+/=-]{4,8000})/gi,
    ([whole = '', scheme = '', space, value = ''], secrets) =>
      // "bearer of news" and "basic settings" are words, not credentials.
      /^[a-z]+$/.test(value) && scheme === scheme.toLowerCase()
        ? whole
        : `${scheme}${space}${hide(value, secrets)}`,
  ],
  [
    /\b(?:sk-[\w-]{16,200}|gh[opsu]_\w{20,200}|github_pat_\w{20,200}|glpat-[\w-]{16,100}|xox[abprs]-[\w-]{10,200}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,60}|npm_\w{30,60}|eyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000})/g,
    ([value = ''], secrets) => hide(value, secrets),
  ],
]

function maskShapes(text: string, secrets: Set<string>): string {
  return shapes.reduce(
    (rest, [pattern, replace]) =>
      rest.replace(pattern, (...found: unknown[]) =>
        replace(found.filter(part => typeof part === 'string').slice(0, -1), secrets),
      ),
    text,
  )
}

/** `{"token":"x"}` among the words of a command. */
function maskJson(word: string, secrets: Set<string>): string {
  return word.replace(
    /"([\w-]{1,100})"(\s{0,20}:\s{0,20})"((?:[^"\\]|\\.){1,4000})"/g,
    (whole, name, colon, value) => (namesSecret(name) ? `"${name}"${colon}"${hide(value, secrets)}"` : whole),
  )
}

/** Of `Bearer xyz` the scheme is no secret. */
function hideHeader(value: string, secrets: Set<string>): string {
  const [, scheme, rest] = /^(Bearer|Basic|Token|Digest)\s+(.+)$/is.exec(value) ?? []
  if (scheme === undefined || rest === undefined) return hide(value, secrets)
  return `${scheme} ${hide(rest, secrets)}`
}

function hide(value: string, secrets: Set<string>): string {
  if (value === '' || value === mask || reference.test(value)) return value
  secrets.add(value)
  return mask
}
