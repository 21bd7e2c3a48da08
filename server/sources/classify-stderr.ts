/** Reads a failed call's stderr by the table of the `--json` protocol: every failure is exit 1, so stderr decides. */

import { isObject } from '../../core/json/json.ts'
import { toPointer } from '../../core/json/pointer.ts'
import type { ValidationIssue } from '../../core/tool/invocation.ts'
import type { LlmsFlags } from './read-manifest.ts'
import { exitMessage, type FailureCause } from './run-failure.ts'

export interface StderrVerdict extends FailureCause {
  readonly kind:
    | 'unknown-input-flag'
    | 'too-many-arguments'
    | 'command-line'
    | 'schema'
    | 'bad-json'
    | 'error'
    | 'unknown'
}

export function classifyStderr(stderr: string, flags: LlmsFlags, exit: string): StderrVerdict {
  const parser = /^error: (.*)$/m.exec(stderr)
  if (parser?.[1] !== undefined) return classifyParserError(parser[1], flags)

  const zod = readZodError(stderr)
  if (zod !== null) {
    const all = [...new Set(zod.issues.map(issue => issue.path || 'the value'))]
    const places = `${all.slice(0, 3).join(', ')}${all.length > 3 ? ' …' : ''}`
    if (zod.issuesOf === 'output')
      return {
        kind: 'schema',
        reason: 'bad-output',
        message: `The program broke its own output schema: ${places}`,
        hint: 'The input was accepted and the tool ran. Its result did not fit, and the program printed none.',
        ...zod,
      }
    return {
      kind: 'schema',
      message: `The program refused a value: ${places}`,
      hint: 'The program’s own checks can be stricter than the schema it publishes.',
      ...zod,
    }
  }
  const named = /^(?:Uncaught )?(\w*Error: .*)$/m.exec(stderr)?.[1]
  if (named?.startsWith('SyntaxError: ') && /JSON|token|Unexpected/.test(named))
    return {
      kind: 'bad-json',
      message: named,
      hint: `The program could not parse the value of ${flags.input} as JSON.`,
    }
  if (named !== undefined) return { kind: 'error', message: named }
  return { kind: 'unknown', message: exitMessage(stderr, exit) }
}

function classifyParserError(text: string, flags: LlmsFlags): StderrVerdict {
  const message = `The program's command line said: ${text}`
  if (text.includes(`unknown option '${flags.input}'`))
    return {
      kind: 'unknown-input-flag',
      message,
      hint: `It lists this tool but does not take ${flags.input} for it: the tool is a group or documentation, has its JSON input switched off, or the flag has another name (set "flags": {"input": "--…"} in toolscope.json).`,
    }
  if (text.startsWith('too many arguments'))
    return {
      kind: 'too-many-arguments',
      message,
      hint: 'The program is the tool itself: its name is not an argument.',
    }
  return {
    kind: 'command-line',
    message,
    hint: 'The program refused the command line before it ran anything. Refresh the source: its list may be old.',
  }
}

interface ZodFailure {
  readonly issues: readonly ValidationIssue[]
  readonly issuesOf?: 'input' | 'output'
}

/**
 * The JSON array behind `ZodError: [`, or null. Its end is the first line that is a lone `]`. Which value it is about says
 * the line of code that node prints before it: fireargs has `input.parse(…)` and `output.parse(…)` there.
 */
function readZodError(stderr: string): ZodFailure | null {
  const start = /ZodError: (?=\[)/.exec(stderr)
  if (start === null) return null
  const from = start.index + start[0].length
  const end = stderr.slice(from).search(/^\]/m)
  const parsed = /\b(input|output)\.parse\(/.exec(
    stderr.slice(0, start.index).split('\n').slice(-5).join('\n'),
  )?.[1]
  try {
    const list: unknown = JSON.parse(end < 0 ? '[]' : stderr.slice(from, from + end + 1))
    if (!Array.isArray(list)) return null
    const issues = list.slice(0, 100).map(toIssue)
    return parsed === 'input' || parsed === 'output' ? { issues, issuesOf: parsed } : { issues }
  } catch {
    return null
  }
}

function toIssue(entry: unknown): ValidationIssue {
  const record = isObject(entry) ? entry : {}
  const path = Array.isArray(record.path) ? record.path : []
  return {
    path: toPointer(path.map(String)),
    keyword: typeof record.code === 'string' ? record.code : 'invalid',
    message: typeof record.message === 'string' ? record.message : 'refused by the program',
    ...(typeof record.expected === 'string' ? { expected: record.expected } : {}),
  }
}
