/**
 * `toolscope check session.toolrec --against NEWER`: which calls of a recording fail with a newer list. It calls nothing
 * unless `--run` is given.
 */
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { AppError, exitCodes } from '../../core/errors.ts'
import { isObject, type Json, own } from '../../core/json/json.ts'
import { readJson } from '../../core/json/json-text.ts'
import type { CheckedExample } from '../../core/report/check-report.ts'
import type { ContentBlock, SessionEnding } from '../../core/tool/invocation.ts'
import { mask } from '../../core/tool/mask.ts'
import { toResultValue } from '../../core/tool/result-value.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { groupFrozenCalls } from '../../core/wire/frozen-calls.ts'
import type { RecordedCall } from '../../core/wire/recorded-calls.ts'
import { checkRecording, readCallsOfRecording } from '../checks/check-recording.ts'
import { runExample } from '../checks/run-example.ts'
import type { SourceArgument } from '../recognise/detect-source.ts'
import { startValidator } from '../workers/validator.ts'
import type { CommandContext } from './command.ts'
import { readSides, type SidesInput } from './diff.ts'
import { chooseExitCode } from './open-catalog.ts'
import { withCalls } from './with-calls.ts'

export interface AgainstInput extends Omit<SidesInput, 'a' | 'b'> {
  readonly sources: readonly SourceArgument[]
  readonly against: string
  readonly run: boolean
  /** Only the calls of this tool. */
  readonly tool?: string | undefined
}

interface Checked {
  readonly examples: readonly CheckedExample[]
  readonly exitCode: number
}

/** Throws AppError of the two references, and `usage` if the first is not one recording. */
export async function checkAgainst(input: AgainstInput, context: CommandContext): Promise<Checked> {
  const [file, ...others] = input.sources
  if (typeof file !== 'string' || others.length > 0)
    throw new AppError('usage', 'check --against takes one recording', {
      hint: 'toolscope check session.toolrec --against SOURCE. "toolscope record" and "toolscope tap" make recordings.',
    })
  const { path, name } = splitName(file, context.directory)
  const all = await readCallsOfRecording(path, name)
  const calls = input.tool === undefined ? all : all.filter(call => call.tool === input.tool)
  if (input.tool !== undefined && calls.length === 0)
    throw new AppError('tool-not-found', `${basename(path)} contains no call of "${input.tool}"`, {
      hint: `It contains calls of ${[...new Set(all.map(({ tool }) => tool))].slice(0, 10).join(', ') || 'nothing'}.`,
    })
  const [before, after] = await readSides({ ...input, a: file, b: input.against }, context)
  const validator = startValidator()
  try {
    const frozen = await checkRecording(calls, before.side, after.side, validator)
    const examples = groupFrozenCalls(frozen)
    const fails = examples.some(({ status }) => status === 'failed')
    if (calls.length === 0) context.say(`${basename(file)} contains no call of a tool.`)
    const ran = input.run ? await runCalls(calls, input, context) : { examples: [], exitCode: exitCodes.fine }
    const exitCode = fails ? exitCodes.breaking : calls.length === 0 ? exitCodes.usage : ran.exitCode
    return { examples: [...examples, ...ran.examples], exitCode }
  } finally {
    await validator.close()
  }
}

/** Reads `session.toolrec#acme`: the file, and a source in it. */
function splitName(argument: string, directory: string): { readonly path: string; readonly name?: string } {
  const whole = resolve(directory, argument)
  const [, file, name] = /^(.*)#([^#]+)$/.exec(argument) ?? []
  return file === undefined || name === undefined || existsSync(whole)
    ? { path: whole }
    : { path: resolve(directory, file), name }
}

/** Calls the tools that declare themselves read-only, and compares their answers with the recorded ones. */
async function runCalls(
  calls: readonly RecordedCall[],
  input: AgainstInput,
  context: CommandContext,
): Promise<Checked> {
  return withCalls({ ...input, sources: [input.against] }, context, async (open, failures) => {
    const { catalog, call, validator } = open
    const { signal, environment } = context
    const examples: CheckedExample[] = []
    for (const recorded of distinct(calls)) {
      const tool = catalog.tools.list().find(({ name }) => name === recorded.tool)
      const expected = readExpected(recorded)
      const base = { ref: recorded.tool, name: `call at message ${recorded.seq}, run again`, differences: [] }
      const skipped = skipReason(tool, recorded, expected)
      if (skipped !== undefined || tool === undefined || expected === undefined) {
        examples.push({ ...base, status: 'skipped', message: skipped ?? '' })
        continue
      }
      const reading = readJson(recorded.inputText)
      const example = {
        name: base.name,
        input: (reading.ok ? reading.value : undefined) ?? {},
        expect: expected,
      }
      const run = { tool, example, environment, signal }
      examples.push({ ...base, ...(await runExample(run, { catalog, call, validator })) })
    }
    const fails = examples.some(({ status }) => status === 'failed')
    return { examples, exitCode: fails ? exitCodes.toolFailed : chooseExitCode(failures) }
  })
}

/** An equal call is made once. */
function distinct(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  return [...new Map(calls.map(call => [`${call.tool} ${call.inputText}`, call])).values()]
}

function skipReason(tool: Tool | undefined, call: RecordedCall, expected: Expected | undefined) {
  if (tool === undefined) return 'the tool is not there any more'
  if (tool.annotations?.readOnlyHint !== true) return 'it is not declared read-only'
  if (call.inputText.includes(mask)) return 'a secret was left out of its input'
  return expected === undefined ? 'the recording has no answer' : undefined
}

type Expected = { readonly exact: Json } | { readonly fails: true }

function readExpected({ answer }: RecordedCall): Expected | undefined {
  if (answer === undefined) return undefined
  if (answer.isProtocolError === true || (answer.exitCode ?? 0) !== 0) return { fails: true }
  const read = readJson(answer.text)
  const value = read.ok ? read.value : undefined
  if (answer.stderr !== undefined || answer.status !== undefined) return { exact: value ?? answer.text }
  if (!isObject(value)) return undefined
  if (own(value, 'isError') === true) return { fails: true }
  const content = own(value, 'content')
  const structured = own(value, 'structuredContent')
  const ending: SessionEnding = {
    type: 'result',
    // The blocks are compared as the server sent them, even if they break the specification.
    content: (Array.isArray(content) ? content : []) as readonly ContentBlock[],
    ...(structured !== undefined && { structuredContent: structured }),
  }
  return { exact: toResultValue(ending) }
}
