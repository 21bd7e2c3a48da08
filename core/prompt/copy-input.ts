/** What "Copy as" copies: the input on one line, numbers with all their digits, secrets masked. */
import { isSecretName, type SecretFields } from '../tool/is-secret.ts'
import { leaveOutOfText } from '../tool/left-out.ts'
import { mask } from '../tool/mask.ts'
import type { Tool } from '../tool/tool.ts'

/** What a recipe says of the tool's source (`SourceState` of the API has more). */
interface CopySource {
  readonly kind: string
  readonly label: string
  readonly format?: string
  readonly toolCount: number
  readonly argument?: string
  readonly inputFlag?: string
}

/** What a recipe of "Copy as" is made from. */
export interface CopyContext {
  readonly tool: Pick<Tool, 'ref' | 'source' | 'name' | 'inputSchema' | 'extra'>
  readonly source: CopySource
  /** JSON on one line, secrets masked; from `copyInput`. */
  readonly input: string
  /** The agent's variables that go with the call, secrets masked; empty where there are none. */
  readonly variables: Readonly<Record<string, string>>
  /** Answers to what the server asks back, as JSON on one line, secrets masked; absent where it asked nothing. */
  readonly answers?: string | undefined
  /** Of our own server: `http://127.0.0.1:4477`. */
  readonly origin: string
}

/** A text to paste, or undefined where the tool cannot be called that way. */
export type Recipe = (context: CopyContext) => string | undefined

export interface CopyInput {
  readonly text: string
  /** Whether a secret was masked. */
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
