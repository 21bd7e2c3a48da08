/** The input as it may leave the page: on one line, numbers to the last digit, secrets masked. */
import { isSecretName, type SecretFields } from '../secrets/is-secret.ts'
import { leaveOutOfText } from '../secrets/left-out.ts'
import { mask } from '../secrets/mask.ts'

export interface CopyInput {
  readonly text: string
  /** Something stands masked in it. */
  readonly masked: boolean
}

/**
 * Undefined where `text` cannot be read as JSON. Empty text is `{}`.
 *
 * @param marker what an input that was restored has in the place of its secrets
 */
export function copyInput(text: string, fields: SecretFields, marker?: string): CopyInput | undefined {
  if (text.trim() === '') return { text: '{}', masked: false }
  const found = leaveOutOfText(text, fields, { marker: marker ?? mask })
  return found && { text: oneLine(found.kept), masked: found.marker !== undefined }
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
