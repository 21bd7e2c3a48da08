/** Runs one command of a script: reads flags, checks the input, calls the tool and makes the answer. */

import { toErrorMessage } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { pointerSegments } from '../json/pointer.ts'
import type { CallEvent, EndedEvent, Validation, ValidationIssue } from '../tool/invocation.ts'
import { outputWords } from '../tool/outcome.ts'
import { formatBlocks, formatStructured } from '../tool/result-value.ts'
import type { Tool } from '../tool/tool.ts'
import { issueSentence } from '../validation/read-issues.ts'
import type { CommandAnswer } from './protocol.ts'
import { readFlags } from './read-flags.ts'
import type { ScriptHost } from './script-tools.ts'
import type { TraceEntry } from './trace.ts'

interface CommandUse {
  readonly name: string
  readonly words: readonly string[]
  readonly stdin: string | null
  /** Maximum characters of one call's output that reach the script. */
  readonly limit: number
  /** Called before the call and after each change; undefined members are omitted. */
  readonly report: (change: Partial<Omit<TraceEntry, 'id' | 'startMs'>>) => void
  readonly event: (event: CallEvent) => void
  /** Called with a function that ends the call as soon as it exists. */
  readonly started: (cancel: () => void) => void
}

/** Never rejects: an error becomes an exit code and a line on stderr. */
export async function runToolCommand(world: ScriptHost, use: CommandUse): Promise<CommandAnswer> {
  const { name } = use
  let tool: Tool
  try {
    tool = await world.tool(name)
  } catch (thrown) {
    return complaint(name, toErrorMessage(thrown), 127)
  }
  const reading = readFlags(tool.inputSchema, use.words, { stdin: use.stdin })
  if (!reading.ok) {
    const { message, dryRun } = reading
    use.report({ ref: tool.ref, input: '', status: 'refused', message, exitCode: dryRun ? 1 : 2 })
    return dryRun
      ? { stdout: '', stderr: dryRunError(name, message), exitCode: 1 }
      : { stdout: '', stderr: message, exitCode: 2 }
  }
  if (reading.help) return world.help('help', [name])
  const input = writeJson(reading.input, 0)
  try {
    const validation = await world.validate(tool, input)
    if (reading.dryRun) {
      const exitCode = validation.verdict === 'invalid' ? 2 : 0
      const stdout = dryRunText(name, reading.input, validation)
      use.report({ ref: tool.ref, input, status: 'dry-run', exitCode, output: stdout })
      return { stdout, stderr: '', exitCode }
    }
    const wrong = schemaError(validation)
    if (wrong !== null) return refuse(use, tool, input, wrong, 2)
    const reason = world.refuses(tool)
    if (reason !== null) return refuse(use, tool, input, reason, 126)
    return await call(world, use, tool, input)
  } catch (thrown) {
    const message = toErrorMessage(thrown)
    use.report({ ref: tool.ref, input, status: 'failure', message, exitCode: 1 })
    return complaint(name, message, 1)
  }
}

async function call(world: ScriptHost, use: CommandUse, tool: Tool, input: string): Promise<CommandAnswer> {
  use.report({ ref: tool.ref, input, status: 'running' })
  let ending: EndedEvent | undefined
  const started = world.call(tool, input)
  use.started(() => started.cancel())
  for await (const event of started.events) {
    use.event(event)
    if (event.type === 'result' || event.type === 'failure') ending = event
  }
  if (ending === undefined) throw new Error('the call ended without a result')
  const answer = toolOutput(use.name, ending, use.limit)
  const status = ending.type === 'failure' && ending.reason === 'cancelled' ? 'cancelled' : ending.type
  use.report({
    status,
    verdict: ending.validation.verdict,
    exitCode: answer.exitCode,
    output: answer.stdout,
    ...(ending.type === 'failure' ? { message: ending.message } : {}),
  })
  return answer
}

function refuse(
  use: CommandUse,
  tool: Tool,
  input: string,
  message: string,
  exitCode: number,
): CommandAnswer {
  use.report({ ref: tool.ref, input, status: 'refused', message, exitCode })
  return complaint(use.name, message, exitCode)
}

function complaint(name: string, message: string, exitCode: number): CommandAnswer {
  return { stdout: '', stderr: `${name}: ${message}\n`, exitCode }
}

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
function dryRunError(tool: string, error: string): string {
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
