/** `toolscope tap -- COMMAND…` and `toolscope tap URL --listen PORT`: records the messages of a client and a server. */
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { AppError, toAppError } from '../../core/errors.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { counted } from '../../core/text/wording.ts'
import { maskText, maskWords, secretsOfAddress, secretValues } from '../../core/tool/mask.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { untilStopped } from '../process/run-with-limit.ts'
import { proposeProgramName } from '../recognise/source-name.ts'
import { programEnvironment } from '../sources/program-environment.ts'
import { type ProgramEnd, tapProgram } from '../tap/tap-program.ts'
import { TapRecording, type TapRecordingOptions } from '../tap/tap-recording.ts'
import { type CommandContext, defineCommand, fields, printError } from './command.ts'

export const tapCommand = defineCommand({
  name: 'tap',
  description: 'Record what an MCP client and a server say to each other, from a place between the two.',
  input: z.object({
    url: z.string().optional().describe('The address of the server; of a program, its command after --.'),
    command: z
      .array(z.string())
      .optional()
      .describe('The command that starts the server: the words after --.'),
    listen: fields.port
      .optional()
      .describe('With an address: the port for the client, on this machine only; 0 for a free one.'),
    out: z
      .string()
      .optional()
      .describe('The file; default NAME-DATE.toolrec in the working directory, with the name of the server.'),
    force: z.boolean().default(false).describe('Replace the file if it exists.'),
    page: z
      .boolean()
      .default(false)
      .describe('Serve a page that shows the messages as they pass; stderr has its address.'),
    open: z.boolean().default(false).describe('Serve that page and open it in the browser.'),
    redact: z
      .array(z.string().regex(/^\//, 'must be a JSON Pointer, such as /params/arguments/ssn'))
      .default([])
      .describe('A JSON Pointer of a value that is masked too: /params/arguments/ssn. Repeatable.'),
  }),
  positionals: ['url'],
  short: { out: 'o' },
  notes: [
    'In the configuration of a client, put `toolscope tap --` before the command of a server: the client works as before. All bytes, stderr, signals and the exit code are passed on.',
    'The page shows the messages of this tap only, masked as in the file. It calls, changes and stores nothing, and ends with the tap.',
    'Secrets are masked in the file: credentials, cookies, session ids, tokens, values of variables and options with the name of a secret, fields that a tool marks as secret.',
  ],
  examples: [
    [
      'toolscope tap -o files.toolrec -- npx -y some-server',
      'in place of the server, in the file of a client',
    ],
    [
      'toolscope tap https://mcp.example.com/mcp --listen 4800 --open',
      'at http://127.0.0.1:4800/mcp, with the page',
    ],
  ],
  exitCodes: {
    0: 'it was stopped; with a program, its exit code is passed on',
    2: 'the command line is invalid, or the file cannot be written',
    3: 'the program cannot be started',
  },
  output: z.object({ file: z.string(), messages: z.number(), masked: z.number() }),

  async run(input, context) {
    const { url, command = [] } = input
    if ((url === undefined) === (command.length === 0))
      throw new AppError('usage', 'tap needs either an address or, after --, a command')
    if (url === undefined && input.listen !== undefined)
      throw new AppError('usage', '--listen belongs to an address; a program speaks over stdin and stdout')
    const address = url === undefined ? undefined : readAddress(url)
    const recording = openRecording(
      input,
      address === undefined ? programFacts(command, context) : addressFacts(address, context),
      context,
    )
    context.say(`toolscope tap: recording to ${recording.file}`)
    const page = input.open || input.page ? await startPage(recording, input.open, context) : undefined
    const sink = page?.sink ?? recording.sink
    try {
      if (address === undefined) {
        const end = await runProgram(command, sink, context)
        const output = finish(recording, context)
        await page?.close()
        if (end.signal !== null) await endBySignal(end.signal)
        return { output, exitCode: end.exitCode ?? 0 }
      }
      await runAddress(address, input.listen ?? 0, sink, context)
      return { output: finish(recording, context) }
    } finally {
      recording.close()
      await page?.close()
    }
  },

  print() {
    // stdout belongs to the server, and stderr has the summary.
  },
})

interface StartedPage {
  /** Receives the messages for the recording and for the page. */
  readonly sink: WireSink
  close(): Promise<void>
}

/** Starts the page without waiting for it. A page that does not start is a line on stderr: the client works without. */
async function startPage(
  recording: TapRecording,
  open: boolean,
  context: CommandContext,
): Promise<StartedPage> {
  const { SourceWire } = await import('../wire/source-wire.ts')
  const wire = new SourceWire(recording.wireFacts)
  const start = async () => {
    const { serveTapPage } = await import('./tap-page.ts')
    const page = await serveTapPage({ wire, open }, context)
    context.say(`toolscope tap page: ${page.url}`)
    return page
  }
  const started = start().catch((thrown: unknown) => printError(toAppError(thrown), context))
  let closing: Promise<void> | undefined
  return {
    sink(emitted) {
      recording.sink(emitted)
      wire.sink(emitted)
    },
    close() {
      closing ??= started.then(page => page?.close())
      return closing
    },
  }
}

function readAddress(text: string): URL {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text)
  throw new AppError('usage', `${text} is not an address that begins with http:// or https://`, {
    hint: 'A program is given after --: toolscope tap -- node server.js',
  })
}

interface TapFacts {
  readonly source: TapRecordingOptions['source']
  readonly secrets: readonly string[]
}

function programFacts(command: readonly string[], { directory, environment }: CommandContext): TapFacts {
  const { visible, secrets } = maskWords(command)
  return {
    source: {
      name: proposeProgramName(visible, directory),
      label: formatShellCommand(visible),
      transport: 'stdio',
    },
    secrets: [...secrets, ...environmentSecrets(environment)],
  }
}

function addressFacts(url: URL, { environment }: CommandContext): TapFacts {
  return {
    source: { name: url.hostname, label: maskText(url.href, []), transport: 'http' },
    secrets: [...secretsOfAddress(url.href), ...environmentSecrets(environment)],
  }
}

function environmentSecrets(environment: NodeJS.ProcessEnv): readonly string[] {
  const defined = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  // The file of a secret is often named like the secret, and its path is in many messages.
  return secretValues(Object.fromEntries(defined)).filter(value => !(isAbsolute(value) && existsSync(value)))
}

/** Opens the named file; without a name, the first of `NAME-DATE.toolrec`, `NAME-DATE-2.toolrec` … that is free. */
function openRecording(
  {
    out,
    force,
    redact,
  }: { readonly out?: string | undefined; readonly force: boolean; readonly redact: string[] },
  facts: TapFacts,
  context: CommandContext,
): TapRecording {
  const onProblem = (problem: AppError) => printError(problem, context)
  const open = (file: string) =>
    new TapRecording(resolve(context.directory, file), { ...facts, redact, force, onProblem })
  if (out !== undefined) return open(out)
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const name = `${facts.source.name.replace(/[^\w.@-]+/g, '-')}-${date}`
  for (let number = 1; ; number += 1)
    try {
      return open(`${name}${number === 1 ? '' : `-${number}`}.toolrec`)
    } catch (thrown) {
      const isTaken = thrown instanceof AppError && thrown.detail.endsWith('exists already')
      if (!isTaken || number === maxNumber) throw thrown
    }
}

const maxNumber = 1_000

function runProgram(
  argv: readonly string[],
  sink: WireSink,
  { directory, environment }: CommandContext,
): Promise<ProgramEnd> {
  const { stdin, stdout, stderr } = process
  const inherited = programEnvironment(environment, {}, 'everything')
  return tapProgram({ argv, directory, environment: inherited, stdin, stdout, stderr, sink })
}

/** Runs until it is stopped. */
async function runAddress(
  url: URL,
  port: number,
  sink: WireSink,
  { environment, signal, say }: CommandContext,
): Promise<void> {
  const { tapAddress } = await import('../tap/tap-address.ts')
  const tap = await tapAddress({ url, port, environment, sink })
  say(`toolscope tap ready: ${tap.url}`)
  await untilStopped(signal)
  await tap.close()
}

function finish(recording: TapRecording, context: CommandContext) {
  const counts = recording.close()
  const { messages, masked } = counts
  context.say(
    `toolscope tap: ${counted(messages, 'message')} in ${recording.file}, ${counted(masked, 'secret')} masked`,
  )
  return { file: recording.file, ...counts }
}

/** Ends this process as the server ended, after its output is written. */
async function endBySignal(signal: NodeJS.Signals): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(stream => new Promise<void>(done => stream.write('', () => done()))),
  )
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // A signal that this system ignores.
  await new Promise(resolve => setTimeout(resolve, 1_000))
  process.exit(128 + constants.signals[signal])
}
