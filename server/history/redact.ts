/** Secrets of one call, taken out of everything that is written down about it. */
import { isSecretName } from '../../core/secrets/secrets.ts'

export const MASK = '••••••'

/** Shorter values stand by chance in too many texts to be taken out of them. */
const SHORTEST = 4
const MOST_SECRETS = 500
const MOST_NODES = 200_000

/**
 * Every text and number below a member whose name says that it is secret.
 * Null when there are too many to take them all out: then nothing that could hold them is kept.
 *
 * @param marked names that the schema marks as secret
 */
export function secretTexts(value: unknown, marked: ReadonlySet<string>): string[] | null {
  const found = new Set<string>()
  const waiting: { value: unknown; secret: boolean }[] = [{ value, secret: false }]
  for (let looked = 0; ; looked += 1) {
    const node = waiting.pop()
    if (node === undefined) return [...found]
    if (looked > MOST_NODES || found.size > MOST_SECRETS) return null
    if (typeof node.value === 'object' && node.value !== null) {
      const list = Array.isArray(node.value)
      for (const [key, child] of Object.entries(node.value))
        waiting.push({
          value: child,
          secret: node.secret || (!list && (isSecretName(key) || marked.has(key))),
        })
    } else if (node.secret && (typeof node.value === 'string' || typeof node.value === 'number')) {
      const text = String(node.value)
      if (text.length >= SHORTEST) found.add(text)
    }
  }
}

/** A text without the secrets, however a program may have written them: plain, inside JSON, or in a URL. */
export function masker(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(spellings))].sort((a, b) => b.length - a.length)
  if (forms.length === 0) return text => text
  return text => {
    let masked = text
    for (const form of forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK)
    return masked
  }
}

function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const twice = JSON.stringify(json).slice(1, -1)
  return [secret, json, ascii, twice, uriOf(secret), Buffer.from(secret, 'utf8').toString('base64')]
}

function uriOf(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a surrogate pair has no such form.
    return text
  }
}

/** JSON of a value, each text in it masked. Throws where the value is nested too deeply for JSON. */
export function maskedJson(value: unknown, mask: (text: string) => string): string {
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return mask(part)
    if (typeof part !== 'number') return part
    const text = String(part)
    return mask(text) === text ? part : MASK
  })
  // Names of members are texts too, and the replacer does not see them.
  const all = mask(json)
  return all !== json && isJson(all) ? all : json
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
