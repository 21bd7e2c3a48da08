/** Prepares the input for "Copy as": one line, numbers with all their digits, secrets masked. */
import { isSecretName, type SecretFields } from '../tool/is-secret.ts'
import { leaveOutOfText } from '../tool/left-out.ts'
import { mask } from '../tool/mask.ts'
import type { Tool } from '../tool/tool.ts'

/** The fields of the tool's source that a recipe uses (`SourceState` of the API has more). */
interface CopySource {
  readonly kind: string
  readonly label: string
  readonly format?: string
  readonly toolCount: number
  readonly argument?: string
  /** The options that `argument` needs. Secrets of the headers are `${NAME}`. */
  readonly argumentOptions?: {
    readonly headers?: Readonly<Record<string, string>>
    readonly directory?: string
  }
  /** The file that names it, absolute. */
  readonly origin?: { readonly file?: string }
  readonly inputFlag?: string
}

/** The data for a recipe of "Copy as". */
export interface CopyContext {
  readonly tool: Pick<Tool, 'ref' | 'source' | 'name' | 'inputSchema' | 'extra'>
  readonly source: CopySource
  /** JSON on one line, secrets masked; from `copyInput`. */
  readonly input: string
  /** The agent's variables for the call, secrets masked; empty if there are none. */
  readonly variables: Readonly<Record<string, string>>
  /** Answers to the server's questions, as JSON on one line, secrets masked; absent without questions. */
  readonly answers?: string | undefined
  /** The address of this program's server: `http://127.0.0.1:4477`. */
  readonly origin: string
}

/** Returns a text to paste, or undefined if the tool cannot be called that way. */
export type Recipe = (context: CopyContext) => string | undefined

export interface CopyInput {
  readonly text: string
  /** Whether a secret was masked. */
  readonly masked: boolean
}

/**
 * Returns undefined if `text` is not JSON. Empty text is `{}`.
 *
 * @param marker replaces the secrets in a restored input
 */
export function copyInput(text: string, fields: SecretFields, marker?: string): CopyInput | undefined {
  if (text.trim() === '') return { text: '{}', masked: false }
  const found = leaveOutOfText(text, fields, { marker: marker ?? mask })
  return found && { text: oneLine(found.kept), masked: found.marker !== undefined }
}

/** Returns the variables with secrets masked. */
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

/** Returns JSON text without the white space between its tokens. */
function oneLine(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_found, string: string | undefined) => string ?? '')
}
