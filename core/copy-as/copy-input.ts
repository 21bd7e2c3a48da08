/** The input as it may leave the page: on one line, numbers to the last digit, secrets masked. */
import { parse, stringify } from 'lossless-json'
import { mask } from '../secrets/mask-secrets.ts'
import { isSecretName } from '../secrets/secrets.ts'

export interface CopyInput {
  readonly text: string
  /** Something stands masked in it. */
  readonly masked: boolean
}

/**
 * Undefined where `text` is no JSON, or where its secrets cannot be told for certain. Empty text is `{}`.
 *
 * @param marked names the schema marks as secret, from `secretNamesOf`
 */
export function copyInput(text: string, marked: ReadonlySet<string>): CopyInput | undefined {
  if (text.trim() === '') return { text: '{}', masked: false }
  try {
    let masked = false
    const value = parse(text, (key, member) => {
      const isSecret = (isSecretName(key) || marked.has(key)) && member !== null && member !== ''
      if (!isSecret) return member
      masked = true
      return mask
    })
    return { text: masked ? (stringify(value) ?? '{}') : oneLine(text), masked }
  } catch {
    return undefined
  }
}

/** The variables with secret ones masked. */
export function copyVariables(variables: Readonly<Record<string, string>>): {
  readonly values: Readonly<Record<string, string>>
  readonly masked: boolean
} {
  const isHidden = ([name, value]: readonly [string, string]) => isSecretName(name) && value !== ''
  const entries = Object.entries(variables)
  return {
    values: Object.fromEntries(entries.map(entry => (isHidden(entry) ? [entry[0], mask] : entry))),
    masked: entries.some(isHidden),
  }
}

/** JSON text without the white space between its tokens. */
function oneLine(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_found, string: string | undefined) => string ?? '')
}
