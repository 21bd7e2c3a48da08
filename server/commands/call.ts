/** `toolscope call`: makes one call of one tool; its result goes to stdout and its verdicts to stderr. */
import { z } from 'zod'
import { timing, validation } from '../../core/api/calls.ts'
import { AppError, exitCodes, toAppError } from '../../core/errors.ts'
import { isObject, withoutUndefined } from '../../core/json/json.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import { plainJson, plainLine } from '../../core/text/plain-text.ts'
import { quoteForShell } from '../../core/text/shell.ts'
import { counted } from '../../core/text/wording.ts'
import { CallFold } from '../../core/tool/call-state.ts'
import { confirmReason, confirmText, getAskMode } from '../../core/tool/confirm-reason.ts'
import { type CallEvent, type Ending, failureReasons } from '../../core/tool/invocation.ts'
import { awaitEnding, describeEnd, outcomes, outputWords, toOutcome } from '../../core/tool/outcome.ts'
import type { QuestionState } from '../../core/tool/question.ts'
import { formatResult, omitRepeated } from '../../core/tool/result-value.ts'
import { describeTask, taskStatuses } from '../../core/tool/task.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { getAppUri } from '../../core/tool/tool-app.ts'
import { issueSentence } from '../../core/validation/read-issues.ts'
import { parseInput } from '../calls/parse-input.ts'
import { readEnvironmentTrace } from '../calls/read-trace.ts'
import type { SourceArgument } from '../recognise/detect-source.ts'
import type { CallInput } from '../sources/source.ts'
import { answerHint, asksLine, readAnswers, terminalAsk } from './answer-questions.ts'
import {
  type Command,
  type CommandContext,
  configurationFields,
  defineCommand,
  fields,
  sourceExits,
  sourceFields,
  toLimitMs,
} from './command.ts'
import { optionArities } from './command-flags.ts'
import { acceptOnce } from './pin-texts.ts'
import { readInputText, TypedText } from './typed-text.ts'
import { withCalls } from './with-calls.ts'

const callOutput = z.object({
  ref: z.string(),
  status: z.enum(['result', 'failure']),
  reason: z.enum(failureReasons).optional().describe('Why it failed.'),
  message: z.string().optional(),
  hint: z.string().optional(),
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.unknown().optional(),
  raw: z.string().optional().describe('The text that the result was read from, to the letter.'),
  note: z.string().optional(),
  isError: z.boolean().optional(),
  meta: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('_meta of the result; of a JSON-RPC error its "data" as "error".'),
  exitCode: z.number().optional(),
  stderr: z.string().optional(),
  task: z
    .looseObject({ taskId: z.string(), status: z.enum(taskStatuses), statusMessage: z.string().optional() })
    .optional()
    .describe('The task that the MCP server made of the call, as it last described it.'),
  questions: z
    .array(
      z.object({
        message: z.string(),
        name: z.string().optional(),
        url: z.string().optional(),
        action: z.enum(['accept', 'decline', 'cancel']),
        by: z.enum(['person', 'prepared', 'client', 'toolscope', 'server']),
        note: z.string().optional(),
      }),
    )
    .optional()
    .describe('What the server asked back, and how it was answered.'),
  inputValidation: validation,
  validation: validation.describe('The output against the tool’s output schema.'),
  timing,
})
/** Characters of the input that a question shows. */
const maxInputCharacters = 2_000

type CallOutput = z.infer<typeof callOutput>

export const callCommand: Command = defineCommand({
  name: 'call',
  description: 'Call a tool and validate its output against its output schema.',
  input: z.object({
    tool: z.string().describe('Name of the tool; source/name if the name is not unique.'),
    ...sourceFields,
    input: z.unknown().optional().describe('Input of the tool: JSON, @file, or - for stdin. Empty means {}.'),
    timeout: fields.timeLimit
      .optional()
      .describe(
        'Time limit: 500ms, 60 or 60s, 5m, 1h (default: that of the source, 60s unless set). Progress resets it.',
      ),
    variables: fields.variables,
    answers: z
      .unknown()
      .optional()
      .describe(
        'Answers to what the server asks back: a file, - for stdin, or JSON; a list in order, or an object by question.',
      ),
    yes: z
      .boolean()
      .default(false)
      .describe(
        'Do not ask for confirmation before a tool that LLM_MCP_NEED_CONFIRM or "askBeforeDestructive" names, or whose program asks on a terminal.',
      ),
    accept: fields.accept,
    asTask: z
      .boolean()
      .optional()
      .describe('Ask the MCP server to make a task of the call, if the tool leaves it to the caller.'),
    task: z
      .string()
      .min(1)
      .optional()
      .describe('Call nothing: wait for the end of this task of the tool, and print its result.'),
    requireValid: z
      .boolean()
      .optional()
      .describe('Exit with code 4 unless the output was validated against a schema and is valid.'),
    ...configurationFields,
  }),
  positionals: ['tool', 'sources'],
  takesToolFlags: true,
  examples: [
    [
      'toolscope call echo "npx -y @modelcontextprotocol/server-everything" --input \'{"message":"hi"}\'',
      'a tool of an MCP server',
    ],
    [
      'toolscope call search https://example.com/mcp -H "Authorization: Bearer $TOKEN" --input @input.json',
      'a remote server, the input from a file',
    ],
  ],
  exitCodes: {
    ...sourceExits,
    4: 'the tool failed, its output is invalid, or a question of the server got no answer',
    5: 'the tool is not as it was approved, and was not called',
  },
  output: callOutput,
  notes: [
    [
      'Flags of the tool (toolscope help TOOL SOURCE lists them) follow its name, in any order:',
      '  --name text  --tags a --tags b  --config.depth 2  --force  --no-force',
      'They change the input of --input or --json. The word after a flag is its value, so name sources before them.',
      'An option from the list above is always Toolscope’s. After a second -- every word is a flag of the tool:',
      '  toolscope call TOOL node -- server.mjs -- --input text',
    ].join('\n'),
  ],

  async run(input, context) {
    const given = await readInput(input.input, context)
    const variables = readVariables(input.variables)
    const answers = await readAnswers(input.answers, context)
    return withCalls(
      input,
      context,
      async calls => {
        const tool = calls.catalog.tools.find(input.tool)
        const { ref } = tool
        const sent = await addFlags(given, tool, context)
        calls.pins.accept(input.accept)
        await acceptOnce(calls.pins, tool, context)
        if (!input.yes && input.task === undefined) await confirm(tool, sent, context)
        const callOnce = (taskId = input.task) =>
          follow(
            ref,
            calls.call({
              ref,
              input: sent,
              origin: 'command line',
              options: {
                timeoutMs: toLimitMs(input.timeout),
                variables,
                answers,
                asTask: input.asTask,
                taskId,
                seen: tool,
                caller: { trace: readEnvironmentTrace(context.environment) },
                ask: answers === undefined ? terminalAsk(context, () => calls.validator) : undefined,
              },
              signal: context.signal,
            }),
            context,
          )
        const appUri = getAppUri(tool)
        if (appUri !== undefined)
          context.say(`This tool has an app (${plainLine(appUri)}); the page of toolscope serve runs it.`)
        let output = await callOnce()
        const needsSignIn = () => toOutcome(output) === 'sign-in-needed'
        // The server refused the call before it did anything, so it can be repeated.
        if (needsSignIn()) {
          const { signInAt } = await import('./sign-in.ts')
          const connection = calls.catalog.sources.get(tool.source)
          if (await signInAt(connection, calls.signIns, context)) output = await callOnce(output.task?.taskId)
        }
        const { exitCode } = outcomes[toOutcome(output)]
        const { verdict } = output.validation
        const isBad = input.requireValid === true ? verdict !== 'valid' : verdict === 'invalid'
        const isRefused = exitCode === exitCodes.fine && (isBad || isUnanswered(output))
        return { output, exitCode: isRefused ? exitCodes.toolFailed : exitCode }
      },
      { tool: input.tool },
    ).catch(thrown => {
      throw explainInput(toAppError(thrown), input.sources, context)
    })
  },
  print(output, context) {
    // The output's schema only states what `--json` guarantees.
    const ending = output as unknown as Ending
    if (ending.content.length > 0 || ending.structuredContent !== undefined)
      context.write(`${formatResult(ending)}\n`, 'result')
    const outcome = toOutcome(output)
    const end = describeEnd({ outcome, verdict: output.validation.verdict })
    const verdict = describeOutput(output)
    // stderr was printed while it arrived.
    const [message = '', ...more] = omitRepeated(output.message ?? '', output.stderr ?? '').split('\n')
    context.say(
      isUnanswered(output) && outcome === 'ok'
        ? `✗ ${output.ref} · a question of the server got no answer of yours`
        : outcome === 'ok'
          ? `✓ ${output.ref} · ${Math.round(output.timing.durationMs)} ms · ${verdict}`
          : ['✗', output.ref, '·', end.text, ...(message === '' ? [] : ['·', message])].join(' '),
    )
    for (const line of more) context.say(`  ${line}`)
    const data = output.status === 'failure' ? output.meta?.error : undefined
    if (data !== undefined) context.say(`  data: ${plainJson(data, 0)}`)
    if (output.hint !== undefined) context.say(`  ${output.hint}`)
    if (output.note !== undefined) context.say(`  note: ${output.note}`)
    for (const found of output.validation.issues) context.say(`  output ${issueSentence(found)}`)
  },
})

/** Other programs take inputs as `name=value`; here such a word was searched as a source. */
function explainInput(
  error: AppError,
  sources: readonly SourceArgument[],
  { toolFlags = [] }: CommandContext,
): AppError {
  const at = toolFlags.findLastIndex(word => !word.startsWith('--'))
  if (error.detail.startsWith('no source was named') && at > 0)
    return new AppError(error.code, error.detail, {
      hint: `"${toolFlags[at]}" was read as the value of ${toolFlags[at - 1]}. Name sources before the tool's flags: toolscope call TOOL SOURCE --flag.`,
    })
  const flag = toolFlags.findLast(word => word.startsWith('--'))
  if (error.code === 'source-not-found' && flag !== undefined && sources.length > 1)
    return new AppError(error.code, error.detail, {
      hint: `Every word that is not a flag or its value is a source. Further items of a list repeat the flag: ${flag} a ${flag} b. A value with spaces needs quotes.`,
    })
  const given = sources.map(word => /^(?:--)?([A-Za-z_][\w.-]*)=(.*)$/s.exec(String(word)))
  const members = given.flatMap(match => {
    if (match === null) return []
    const [, name, value = ''] = match
    const { ok } = value === '' ? { ok: false } : readJson(value)
    return `${JSON.stringify(name)}:${ok ? value : JSON.stringify(value)}`
  })
  if (error.code !== 'source-not-found' || members.length === 0) return error
  const hint = `The input of a tool is one JSON value: --input ${quoteForShell(`{${members.join(',')}}`)}`
  return new AppError(error.code, error.detail, { hint })
}

const isUnanswered = ({ questions = [] }: CallOutput) => questions.some(({ by }) => by === 'toolscope')

/**
 * Asks on a terminal if the user's rule, the setting of the source or the program itself requires it. Throws AppError
 * `usage` if the answer is no, or if it is required and there is no terminal; only a program does not ask without one.
 */
async function confirm(tool: Tool, { text, value }: CallInput, context: CommandContext): Promise<void> {
  const reason = confirmReason(tool)
  // Unless its source is set to ask, the hint of a server does not stop what the user typed.
  if (reason === undefined || (reason === 'hint' && getAskMode(tool) === undefined)) return
  const why = confirmText(tool, value)
  const hint = 'To call it without a question: --yes.'
  if (context.ask !== undefined) {
    const hidden = text.length - maxInputCharacters
    const omission = hidden > 0 ? `… (${counted(hidden, 'more character')})` : ''
    const input = `${text.slice(0, maxInputCharacters)}${omission}`
    const answer = await context.ask(`${tool.ref} ${input}\n${why} Call anyway? [y/N] `)
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new AppError('usage', `${tool.ref} was not called`, { hint })
  } else if (reason !== 'guard')
    throw new AppError(
      'usage',
      `${tool.ref} was not called, because there is no terminal to ask on. ${why}`,
      { hint },
    )
}

const doneWords = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const

async function follow(
  ref: string,
  events: AsyncIterable<CallEvent>,
  context: CommandContext,
): Promise<CallOutput> {
  const fold = new CallFold()
  const { type, ...rest } = await awaitEnding(events, event => {
    fold.add(event)
    printEvent(event, fold, context)
  })
  const { inputValidation = { verdict: 'unchecked', issues: [] }, questions, task } = fold.state()
  const unanswered = questions.find(({ answer }) => answer?.by === 'toolscope')
  // The schema removes fields that are not part of the documented output.
  const output = {
    ref,
    status: type,
    inputValidation,
    ...rest,
    ...(task && { task }),
    ...(unanswered === undefined ? {} : { hint: await answerHint(unanswered.question) }),
    ...(questions.length === 0 ? {} : { questions: questions.flatMap(toQuestionOutput) }),
  }
  return callOutput.parse(output, { jitless: true })
}

/** Prints an event to stderr as it arrives. @param fold contains the event already */
function printEvent(event: CallEvent, fold: CallFold, context: CommandContext): void {
  if (event.type === 'input-validation') {
    const { verdict, issues } = event.validation
    if (verdict !== 'invalid') return
    context.say('Input is invalid; sending anyway')
    for (const issue of issues) context.say(`  input ${issueSentence(issue)}`)
  } else if (event.type === 'answer') {
    const question = fold.state().questions.find(({ question }) => question.id === event.id)?.question
    const { action, by, note } = event.answer
    // A question that was answered on the terminal was printed there.
    if (question === undefined || by === 'person') return
    context.say(asksLine(question))
    context.say(`  ${doneWords[action]}${note === undefined ? '' : `: ${note}`}`)
  } else if (event.type === 'stderr') for (const line of event.text.trimEnd().split('\n')) context.say(line)
  else if (event.type === 'task') context.say(`… task ${event.task.taskId} ${describeTask(event.task)}`)
  else if (event.type === 'progress')
    context.say(
      `… ${event.progress}${event.total === undefined ? '' : ` of ${event.total}`} ${event.message ?? ''}`,
    )
}

function toQuestionOutput({ question, answer }: QuestionState): NonNullable<CallOutput['questions']> {
  if (answer === undefined) return []
  const { message, name } = question
  const { action, by, note } = answer
  const url = question.mode === 'url' ? question.url : undefined
  return [{ message, ...withoutUndefined({ name, url, note }), action, by }]
}

/** Shows the exit code only with an invalid output: such a program may still report success. */
function describeOutput({ exitCode, validation }: CallOutput): string {
  const { verdict, issues, more = 0, note } = validation
  if (verdict === 'invalid') return outputWords(verdict, { issueCount: issues.length + more, exitCode })
  return `${outputWords(verdict)}${note === undefined ? '' : ` (${note})`}`
}

/** @param value of the field `variables`, unparsed. Throws AppError `usage`. */
export function readVariables(value: unknown): Record<string, string> {
  if (value === undefined) return {}
  const given = value instanceof TypedText ? parseInput(value.text).value : value
  const parsed = z.record(z.string(), z.string()).safeParse(given)
  if (parsed.success) return parsed.data
  throw new AppError('usage', '--variables is not a JSON object of texts, such as {"city":"Oslo"}')
}

/** On the command line the value is text: JSON, `@file` or `-`; from `--json` it is the value itself. */
async function readInput(value: unknown, context: CommandContext): Promise<CallInput> {
  if (value === undefined) return parseInput('')
  if (!(value instanceof TypedText)) return parseInput(JSON.stringify(value))
  const text = await readInputText(value.text, context)
  try {
    return parseInput(text)
  } catch (thrown) {
    const error = toAppError(thrown)
    const hint = `${error.toShape().hint}\nA field of the tool that is called input comes after a second --: toolscope call TOOL SOURCE -- -- --input …`
    throw text === value.text ? error.with({ hint }) : error
  }
}

/** Returns the input with the members that the tool's flags give. Throws AppError `usage` for a flag that is not right. */
async function addFlags(
  given: CallInput,
  tool: Tool,
  { toolFlags = [] }: CommandContext,
): Promise<CallInput> {
  if (toolFlags.length === 0) return given
  const base = readJson(given.text)
  if (!base.ok || !isObject(base.value))
    throw new AppError(
      'usage',
      'call: --input is not a JSON object, so flags of the tool cannot be added to it',
    )
  // Imported late: without flags, the planner of forms is not needed.
  const { readFlags } = await import('../../core/script/read-flags.ts')
  const otherFlags = [...optionArities(callCommand).keys()].map(option => option.replace(/^-+/, ''))
  const reading = readFlags(tool.inputSchema, toolFlags, { base: base.value, strict: { otherFlags } })
  if (!reading.ok)
    throw new AppError('usage', `call: ${reading.message}`, {
      hint: `toolscope help ${quoteForShell(tool.ref)} SOURCE lists its flags. --input takes the whole input as JSON.`,
    })
  return parseInput(writeJson(reading.input, 0))
}
