/** Removes known secrets from a text, in every form in which a program may have written them. */
import { parseJson } from '../json/json.ts'
import { decodePercents } from '../text/uri.ts'
import { isSecretName, isSecretVariable, tokenShape } from './is-secret.ts'

/** The text that replaces a secret. */
export const mask = '•••'

/** Shorter values occur by chance in too many texts, so they are not masked. */
export const minMaskedLength = 4

/**
 * Returns a function that masks the secrets in a text: as they are, inside JSON, in a URL, in base64.
 *
 * @param replacement the text that replaces a secret, or a function that returns it; the longest secret goes first
 */
export function createMasker(
  secrets: Iterable<string>,
  replacement: string | ((secret: string) => string) = mask,
): (text: string) => string {
  const usable = [...secrets].filter(secret => secret.length >= minMaskedLength)
  if (usable.length === 0) return text => text
  const masker = new SecretMasker()
  for (const secret of usable)
    if (typeof replacement === 'function') masker.add(secret, replacement(secret))
    else for (const part of withLines(secret)) masker.add(part, replacement)
  return text => masker.mask(text)
}

/** A shorter line of a secret may be in other texts too. */
const minLineLength = 16

/** Returns a secret and its long lines, because programs write a key line by line to their logs. */
export function withLines(secret: string): readonly string[] {
  // Variables often have `\n` as two characters.
  const lines = secret.split(/\r\n|[\r\n]|\\n/).map(line => line.trim())
  if (lines.length === 1) return [secret]
  const isLong = (line: string) => line.length >= minLineLength && !/^-+[\w ]+-+$/.test(line)
  return [secret, ...lines.filter(isLong)]
}

/** Characters with which forms are found in a text. */
const prefixLength = 4
const prefixes = 1 << 16

/**
 * Masks secrets that are added one by one. The time for a long text depends on its length, not on the number of secrets:
 * one pass finds the beginnings of all forms.
 */
export class SecretMasker {
  /** Each form of a secret, with the text that replaces it. */
  private readonly substitutes = new Map<string, string>()
  private readonly hasPrefix = new Uint8Array(prefixes)
  private readonly byPrefix = new Map<number, string[]>()
  /** Forms without a prefix in the table: an index costs more than it saves for one short text. */
  private waiting: string[] = []

  /** Adds a secret with all its forms. A secret shorter than `minMaskedLength` is ignored. */
  add(secret: string, substitute = mask): void {
    if (secret.length < minMaskedLength) return
    for (const form of spellings(secret)) {
      if (!this.substitutes.has(form)) this.waiting.push(form)
      this.substitutes.set(form, substitute)
    }
  }

  /** Returns the text with each secret replaced, the longest first. */
  mask(text: string): string {
    if (this.substitutes.size === 0) return text
    const masked = this.replace(text)
    const plain = unescapeUnusual(masked)
    if (plain === masked) return masked
    const replaced = this.replace(plain)
    return replaced === plain ? masked : replaced
  }

  private replace(text: string): string {
    const longestFirst = [...this.find(text)].sort((a, b) => b.length - a.length)
    return longestFirst.reduce(
      (masked, form) => masked.replaceAll(form, () => this.substitutes.get(form) ?? mask),
      text,
    )
  }

  /** Returns the forms that are in a text. */
  private find(text: string): ReadonlySet<string> {
    if (text.length * this.waiting.length > maxUnindexed) this.addToIndex()
    const found = new Set(this.waiting.filter(form => text.includes(form)))
    if (this.byPrefix.size === 0) return found
    for (let at = 0; at <= text.length - prefixLength; at += 1) {
      const prefix = prefixAt(text, at)
      if (this.hasPrefix[prefix] === 0) continue
      for (const form of this.byPrefix.get(prefix) ?? [])
        if (!found.has(form) && text.startsWith(form, at)) found.add(form)
    }
    return found
  }

  private addToIndex(): void {
    for (const form of this.waiting) {
      const prefix = prefixAt(form, 0)
      this.hasPrefix[prefix] = 1
      const same = this.byPrefix.get(prefix)
      if (same === undefined) this.byPrefix.set(prefix, [form])
      else same.push(form)
    }
    this.waiting = []
  }
}

/** Characters of a text, times the number of forms, for which the index is made. */
const maxUnindexed = 200_000

/** Returns a hash of the four characters at a position. */
function prefixAt(text: string, at: number): number {
  return (
    (text.charCodeAt(at) ^
      (text.charCodeAt(at + 1) << 4) ^
      (text.charCodeAt(at + 2) << 8) ^
      (text.charCodeAt(at + 3) << 11)) &
    (prefixes - 1)
  )
}

/** The letters of the short escapes of JSON. */
const shortEscapes: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
}

/**
 * Returns JSON, at any depth inside texts of JSON, without the escapes that JSON does not need: `\/` of PHP, `\u0026` of
 * Go, `\u002B` of .NET, `\u00e9` of Python. The value of the JSON stays the same.
 */
function unescapeUnusual(text: string): string {
  if (!text.includes('\\u') && !text.includes('\\/')) return text
  return text.replace(
    /(\\+)(?:u([0-9a-fA-F]{4})|\/)/g,
    (whole: string, slashes: string, hex: string | undefined) => {
      if (hex === undefined) return '/'
      const sign = String.fromCharCode(Number.parseInt(hex, 16))
      // The number of backslashes before a quote or a backslash at the depth at which one is before an `u`.
      if (sign === '"') return `${'\\'.repeat(2 * slashes.length - 1)}"`
      if (sign === '\\') return '\\'.repeat(2 * slashes.length)
      if (sign >= ' ') return sign
      const letter = shortEscapes[sign]
      return letter === undefined ? whole : slashes + letter
    },
  )
}

/** A shorter secret is not searched inside base64, because a few characters occur there by chance. */
const minEmbeddedLength = 8

/**
 * Returns the forms of a secret: as it is, in JSON, in ASCII JSON, in JSON within JSON, in a URL, and in base64, also
 * inside a longer text.
 */
export function spellings(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const twice = JSON.stringify(json).slice(1, -1)
  return [...new Set([secret, json, ascii, twice, ...encodedForms(secret)])]
}

function encodedForms(text: string): readonly string[] {
  let uri: string
  try {
    uri = encodeURIComponent(text)
  } catch {
    // A lone surrogate has no such form.
    return []
  }
  const bytes = toBytes(uri)
  const inBase64 = [base64(bytes)]
  // The base64 form depends on the length of the text before the secret, such as the user of `user:secret` in "Basic".
  if (bytes.length >= minEmbeddedLength)
    for (const before of [0, 1, 2])
      inBase64.push(
        base64('\0'.repeat(before) + bytes).slice(
          Math.ceil((before * 8) / 6),
          Math.floor(((before + bytes.length) * 8) / 6),
        ),
      )
  const inForm = uri
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const inUrl = [uri, encodeURI(text), inForm].flatMap(form => [
    form,
    form.replace(/%../g, byte => byte.toLowerCase()),
  ])
  return [...inUrl, ...inBase64.flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')])]
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Returns the base64 of a text in UTF-8. Throws URIError if the text contains half a character. */
export const encodeBase64 = (text: string): string => base64(toBytes(encodeURIComponent(text)))

const toBytes = (uri: string) =>
  uri.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Encodes one byte per character of `bytes`. core has neither `btoa` nor `Buffer`. */
function base64(bytes: string): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const rest = bytes.length - at
    const three =
      (bytes.charCodeAt(at) << 16) |
      (rest > 1 ? bytes.charCodeAt(at + 1) << 8 : 0) |
      (rest > 2 ? bytes.charCodeAt(at + 2) : 0)
    for (let digit = 0; digit < 4; digit += 1)
      text += digit > rest ? '=' : digits[(three >> (18 - 6 * digit)) & 63]
  }
  return text
}

/**
 * Returns the JSON of a value with every text and number masked. Throws RangeError if the value is nested too deeply.
 */
export function maskJson(value: unknown, hide: (text: string) => string): string {
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return hide(part)
    if (typeof part !== 'number') return part
    const text = String(part)
    return hide(text) === text ? part : mask
  })
  // The replacer does not see the names of members, which may contain secrets too.
  const all = hide(json)
  return all !== json && parseJson(all) !== undefined ? all : json
}

/**
 * Returns a text from outside (a log, an error) without `secrets` and without texts of a secret's shape: `Bearer …`, a
 * password in an address, the tokens of well-known services.
 */
export function maskText(text: string, secrets: readonly string[]): string {
  return maskShapes(createMasker(secrets)(text), () => mask)
}

type Hide = (secret: string) => string

/** Shapes that mark a secret in any text. Each replaces its match and passes the secret to `hide`. */
const shapes: readonly (readonly [RegExp, (parts: readonly string[], hide: Hide) => string])[] = [
  [
    /\b(https?|wss?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)(:\/\/)([^\s/@?#'"]{1,500})@/gi,
    ([, scheme, slashes, login = ''], hide) => {
      const [user = '', ...password] = login.split(':')
      hide(password.length > 0 ? password.join(':') : user)
      return `${scheme}${slashes}${mask}@`
    },
  ],
  [
    /([?&#;])([\w.-]{1,100})(=)([^&#\s'"]{1,4000})/g,
    ([whole = '', sign, name = '', equals, value = ''], hide) =>
      isSecretName(name) || /^(?:key|sig|signature|code)$/i.test(name)
        ? `${sign}${name}${equals}${hide(value)}`
        : whole,
  ],
  [
    /\b(Bearer|Basic)([ \t]+)([\w.~+/=-]{4,8000})/gi,
    ([whole = '', scheme = '', space, value = ''], hide) =>
      // "bearer of news" and "basic settings" are words, not credentials.
      /^[a-z]+$/.test(value) && scheme === scheme.toLowerCase() ? whole : `${scheme}${space}${hide(value)}`,
  ],
  [tokenShape, ([value = ''], hide) => hide(value)],
]

/** Returns the text with every match of a secret's shape replaced. */
export function maskShapes(text: string, hide: Hide): string {
  return shapes.reduce(
    (before, [pattern, replace]) =>
      before.replace(pattern, (...found: unknown[]) =>
        replace(found.filter(part => typeof part === 'string').slice(0, -1), hide),
      ),
    text,
  )
}

interface Masked {
  readonly visible: readonly string[]
  /** The secret texts that were masked. */
  readonly secrets: readonly string[]
}

/** `${env:NAME}` and `$NAME` name the variable of a secret. */
const reference = /^\$(?:\{[^{}]*\}|\w+)$/

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
    /"([\w .-]{1,100})"(\s{0,20}:\s{0,20})"((?:[^"\\]|\\.){1,4000})"/g,
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
    if (isSecretVariable(name, value)) hider.hideHeader(value)
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
