/**
 * Decides what is secret: by its name, by its schema's mark, or by its value. Forms, drafts, history, examples, exports
 * and logs all use this file.
 */
import { isObject } from '../json/json.ts'
import type { Path } from '../json/pointer.ts'
import type { JsonSchema } from './tool.ts'

const words = (list: string) => new Set(list.split(' '))

/** Words that name a secret anywhere in a name. */
const secretWords = words(
  'secret secrets password passwords passwd passphrase passphrases passcode pwd bearer authorization credential ' +
    'credentials cookie cookies jwt otp apikey apikeys accesskey privatekey secretkey signingkey clientsecret ' +
    'accesstoken authtoken apitoken bottoken refreshtoken sessiontoken idtoken bearertoken csrftoken',
)
/** Words that make `key` a secret when they come before it. */
const keyWords = words(
  'api app access private signing signer encryption decryption master shared account auth ssh service subscription ' +
    'license deploy webhook submit host storage function',
)
/** Words that make `pass` a password when they come before it. */
const passWords = words(
  'user db database smtp imap ftp mysql postgres redis root admin auth http proxy sudo login',
)
/** Words before `tokens` that mean credentials, not a count or a list of words. */
const credentialWords = words('api access auth refresh bearer bot session secret push')
/**
 * Words before `token` for tokens that are not credentials: a position in a list, a count, a piece of text, a document.
 */
const tokenKinds = words(
  'page next prev previous continuation continue cursor sync skip start end resume pagination paging list delta ' +
    'input output prompt completion stop special mask pad eos bos unk sep cls file folder doc document obj object ' +
    'node wiki space idempotency text design color style',
)
/** Words after `token` that mean a count, or a token of a blockchain. */
const tokenParts = words(
  'usage window position price balance supply address symbol amount contract decimals standard index in out',
)
/**
 * A name with such a last word describes a secret and does not contain it: `token_file`, `secretType`, `api_key_id`.
 */
const aboutWords = words(
  'file files path dir directory folder env url uri endpoint type types kind name names id ids uuid uuids ttl limit ' +
    'budget count length size version method mode scope scopes status policy hint expiry expires domain required enabled',
)
/** A name with such a first word is a flag or a count. */
const firstWords = words(
  'max min num count total has is use uses require requires allow allows include show enable disable accept no',
)
/** Members of an object with such a name are decided one by one; a text with such a name is secret. */
const openWords = words('authorization auth')

/** A part of every name that is secret, escaped characters, and the beginnings of `tokenShape`. */
const hints =
  /secret|pass|pwd|bearer|auth|credential|cookie|jwt|otp|key|token|\\u|sk-|gh[opsu]_|github_pat_|glpat-|xox|akia|aiza|npm_|tsp_|eyj/i

/**
 * Returns false if no name in a text is that of a secret and no value has the shape of a credential. It takes a fraction
 * of the time of `isSecretName`.
 */
export const mayContainSecret = (text: string): boolean => hints.test(text)

/** Returns `X-Api-Key`, `githubToken` and `GITHUB_TOKEN` as lower-case words. */
function splitNameWords(name: string): readonly string[] {
  if (name.length > 500) return []
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

/** Returns whether the name of a field, a variable, a header or an option means that its value is secret. */
export function isSecretName(name: string): boolean {
  const all = splitNameWords(name)
  const [first = ''] = all
  const last = all.at(-1) ?? ''
  if (all.length > 1 && (firstWords.has(first) || aboutWords.has(last))) return false
  if (all.includes('public') || all.includes('publishable')) return false
  if (last === 'auth' || (last === 'pass' && (all.length === 1 || passWords.has(all.at(-2) ?? ''))))
    return true
  return all.some((word, index) => isSecretWord(word, all[index - 1] ?? '', all[index + 1] ?? ''))
}

/**
 * Returns whether a variable of the environment is secret by its name. In POSIX, `PWD` and `OLDPWD` are working
 * directories; elsewhere `pwd` is a password.
 */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) && !(/^(?:OLD)?PWD$/.test(name) && /^(?:\/|[A-Za-z]:[\\/])/.test(value))
}

function isSecretWord(word: string, before: string, after: string): boolean {
  if (secretWords.has(word) || /(?:password|passwd)$/.test(word)) return true
  if (word === 'key' || word === 'keys') return keyWords.has(before)
  if (word === 'tokens') return credentialWords.has(before)
  return word === 'token' && !tokenKinds.has(before) && !tokenParts.has(after) && !aboutWords.has(after)
}

/** The property names that a schema marks as secret or as plain, in any object. */
export interface SecretFields {
  /** Names that the schema marks as secret: `format: password`, `writeOnly`. */
  readonly marked: ReadonlySet<string>
  /** Names whose every declaration allows only numbers, booleans or a list of known values. */
  readonly plain: ReadonlySet<string>
}

export const noFields: SecretFields = { marked: new Set(), plain: new Set() }

/** Keywords whose value is a list of values. An object in it is not a schema. */
const valueLists = words('enum examples required')
/** A hostile schema may have millions of nodes, so the rest is not read. */
const maxSchemaNodes = 20_000
const known = new WeakMap<object, SecretFields>()

/** Returns the secret fields of a schema. They are cached per schema object. */
export function findSecretFields(schema: JsonSchema): SecretFields {
  if (typeof schema !== 'object') return noFields
  const fields = known.get(schema) ?? readFields(schema)
  known.set(schema, fields)
  return fields
}

function readFields(schema: object): SecretFields {
  const marked = new Set<string>()
  const plain = new Set<string>()
  const texts = new Set<string>()
  const waiting: { name: string | undefined; value: unknown }[] = [{ name: undefined, value: schema }]
  const seen = new Set<unknown>()
  for (let looked = 0; looked < maxSchemaNodes; looked += 1) {
    const node = waiting.pop()
    if (node === undefined) break
    const { name, value } = node
    if (typeof value !== 'object' || value === null) continue
    const { format, writeOnly } = value as { format?: unknown; writeOnly?: unknown }
    if (name !== undefined && (format === 'password' || writeOnly === true)) marked.add(name)
    if (seen.has(value)) continue
    seen.add(value)
    for (const [keyword, part] of Object.entries(value)) {
      if (typeof part !== 'object' || (Array.isArray(part) && valueLists.has(keyword))) continue
      const isPropertyMap = (keyword === 'properties' || keyword === 'patternProperties') && isObject(part)
      // The nearest property name also applies to the schemas inside anyOf, items and similar keywords.
      if (!isPropertyMap) waiting.push({ name, value: part })
      else
        for (const [property, child] of Object.entries(part)) {
          waiting.push({ name: property, value: child })
          const set = isPlain(child) ? plain : texts
          set.add(property)
        }
    }
  }
  return { marked, plain: new Set([...plain].filter(name => !texts.has(name))) }
}

const plainTypes = words('number integer boolean null')

function isPlain(schema: unknown): boolean {
  if (!isObject(schema)) return false
  if (Array.isArray(schema.enum) || Object.hasOwn(schema, 'const')) return true
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.every(type => typeof type === 'string' && plainTypes.has(type))
}

/**
 * Returns whether the text or number at this path is secret: by its own name or mark, or by the name of an object or
 * list around it (`credentials.user`, `api_keys[0]`).
 *
 * @param path from the root of the input; numbers are list indexes
 */
export function isSecretAt(path: Path, { marked, plain }: SecretFields): boolean {
  const names = path.filter(step => typeof step === 'string')
  if (names.some(name => marked.has(name))) return true
  const own = names.pop()
  if (own === undefined || plain.has(own)) return false
  return isSecretName(own) || names.some(name => isSecretName(name) && !isOpenName(name))
}

/** Returns whether the members of an object with this name are decided one by one. */
export function isOpenName(name: string): boolean {
  return openWords.has(splitNameWords(name).at(-1) ?? '')
}

/** Returns whether a member of a secret object only describes it: `type`, `expires`, `cookie_name`. */
export function isDescribingName(name: string): boolean {
  return aboutWords.has(splitNameWords(name).at(-1) ?? '')
}

/** Matches tokens of well-known services and of people (`toolscope people`), and JSON Web Tokens. */
export const tokenShape =
  /\b(?:sk-[\w-]{16,200}|gh[opsu]_\w{20,200}|github_pat_\w{20,200}|glpat-[\w-]{16,100}|xox[abprs]-[\w-]{10,200}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,60}|npm_\w{30,60}|tsp_[\w-]{43}|eyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000})/g

const wholeToken = new RegExp(`^(?:Bearer )?${tokenShape.source}$`)

/** Returns whether a value has the shape of a credential, whatever its name. */
export function isSecretValue(text: string): boolean {
  return text.length <= 12_000 && wholeToken.test(text)
}

/** `${env:NAME}` names the variable of a secret and is not a secret. */
export const environmentReference = /^\$\{env:([A-Za-z_][A-Za-z0-9_]{0,199})\}$/
