/** Makes the output of a tool's command in a script: the result of a call, a dry run, or the problem with the input. */

import type { JsonObject } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { pointerSegments } from '../json/pointer.ts'
import type { EndedEvent, Validation, ValidationIssue } from '../tool/invocation.ts'
import { outputWords } from '../tool/outcome.ts'
import { formatBlocks, formatStructured } from '../tool/result-value.ts'
import { issueSentence } from '../validation/read-issues.ts'
import type { CommandAnswer } from './protocol.ts'

/** Maximum characters of a tool's stderr that are passed on. */
const maxStderrCharacters = 4_000

/**
 * Returns the structured result as JSON text (the exact text if known), else the text of its content. A failure goes to
 * stderr with exit code 1. An output that breaks its schema is returned with a warning. Output longer than `limit`
 * fails, because half a document is worse.
 */
export function toolOutput(command: string, ending: EndedEvent, limit: number): CommandAnswer {
  const { structuredContent, content } = ending
  const stdout = withNewline(
    structuredContent === undefined ? formatBlocks(content) : formatStructured(ending),
  )
  if (ending.type === 'failure') return { stdout: '', stderr: failureText(command, ending), exitCode: 1 }
  if (stdout.length > limit)
    return {
      stdout: '',
      stderr: `${command}: the result has ${stdout.length} characters; a script takes ${limit}\n`,
      exitCode: 1,
    }
  return { stdout, stderr: warning(command, ending), exitCode: 0 }
}

function failureText(command: string, ending: Extract<EndedEvent, { type: 'failure' }>): string {
  const { message, hint, stderr, content, structuredContent } = ending
  const said = formatBlocks(content)
  const parts = [
    `${command}: ${message}`,
    said.startsWith(message) ? said.slice(message.length).trim() : said,
    structuredContent === undefined ? undefined : formatStructured(ending),
    stderr?.slice(-maxStderrCharacters).trim(),
    hint,
  ]
  return withNewline(parts.filter(part => part !== undefined && part !== '').join('\n'))
}

function warning(command: string, { validation }: EndedEvent): string {
  if (validation.verdict !== 'invalid') return ''
  const [first] = validation.issues
  const words = outputWords('invalid', { issueCount: validation.issues.length + (validation.more ?? 0) })
  return `${command}: warning: ${words}${first === undefined ? '' : `: ${issueSentence(first)}`}\n`
}

const withNewline = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/**
 * Returns the output of `<tool> --dry-run`: the input as it would be sent, and whether it matches the schema. One line
 * of JSON, keys in alphabetical order. `note` says if a schema could not be applied.
 */
export function dryRunText(tool: string, input: JsonObject, validation: Validation): string {
  const { verdict, issues, note } = validation
  const errors = issues.map(({ path, message }) => ({ message, path }))
  const document = {
    dry_run: true,
    ...(errors.length > 0 ? { errors } : {}),
    ...(verdict === 'unchecked' && note !== undefined ? { note } : {}),
    params: input,
    tool,
    valid: verdict !== 'invalid',
  }
  return `${writeJson(document, 0)}\n`
}

/** Returns the stderr of `<tool> --dry-run` if the flags cannot be read. */
export function dryRunError(tool: string, error: string): string {
  return `${writeJson({ dry_run: true, error, tool, valid: false }, 0)}\n`
}

/**
 * Returns `schema error: required property 'id' is missing`, in the seed system's words: the first finding in one line,
 * without the tool's name. Null unless `invalid`.
 */
export function schemaError({ verdict, issues }: Validation): string | null {
  if (verdict !== 'invalid') return null
  // A missing property is the most common error, and the one whose wording scripts know.
  const first = issues.find(isMissing) ?? issues[0]
  if (first === undefined) return 'schema error: the input does not fit the schema'
  return `schema error: ${sentence(first)}`
}

const isMissing = (issue: ValidationIssue) => issue.keyword === 'required'

/** Uses the seed system's words for the keywords that it checks, and our own for the others. */
function sentence({ path, keyword, message, expected }: ValidationIssue): string {
  const steps = pointerSegments(path)
  if (keyword === 'required') return `required property '${steps.at(-1) ?? ''}' is missing`
  const location = `input${steps.map(step => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')}`
  if (keyword === 'type') return `${location} must be ${expected ?? 'of another type'}`
  if (keyword === 'anyOf') return `${location} does not match any anyOf branch`
  return keyword === 'enum' ? `${location} is not an allowed value` : `${location} ${message}`
}
