/** The process: its streams, signals and exit code around one command line. Loaded by main.ts, which runs it so. */
import { exitCodes } from '../../core/errors.ts'
import { terminalText } from '../../core/text/terminal-text.ts'
import { killAllStarted, killTrackedTrees } from '../process/process-tree.ts'
import { terminalQuestion } from '../process/terminal-question.ts'
import { isOwnVariable } from '../sources/program-environment.ts'
import { type ProgramContext, run, signalExitCode } from './run.ts'
import { processTerminal } from './terminal.ts'

/** After a signal: until programs that still run are killed, and until this one ends whatever it waits for. */
const killAfterMs = 800
const endAfterMs = 1_500

/** Why stdout takes no more. */
let outputError: NodeJS.ErrnoException | undefined
let stopSignal: NodeJS.Signals | undefined

process.exitCode = await run(process.argv.slice(2), processContext())
// Whatever still holds the event loop (an idle keep-alive socket) is not worth waiting for once all is written.
await Promise.all(
  [process.stdout, process.stderr].map(stream => new Promise<void>(done => stream.write('', () => done()))),
)
// A reader that has gone (`toolscope diff a b | head`) has read what it wanted: the verdict stands.
if (outputError !== undefined && outputError.code !== 'EPIPE' && outputError.code !== 'EOF') {
  processTerminal.say(`toolscope: the output could not be written: ${outputError.message}`)
  process.exitCode = exitCodes.unexpected
}
process.exit()

function processContext(): ProgramContext {
  const abort = new AbortController()
  // SIGHUP: the terminal was closed. A second signal ends the program, and with it what it started, at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopSignal !== undefined) process.exit(signalExitCode(signal))
      stopSignal = signal
      abort.abort()
      process.once('exit', killAllStarted)
      setTimeout(killTrackedTrees, killAfterMs).unref()
      setTimeout(() => process.exit(signalExitCode(signal)), endAfterMs).unref()
    })
  process.stdout.on('error', error => {
    outputError ??= error
  })
  // Talk that nobody hears is no reason to lose the exit code.
  process.stderr.on('error', () => {})
  const environment = { ...process.env }
  // What is started without an environment of its own (the browser) gets nothing of ours.
  for (const name of Object.keys(process.env)) if (isOwnVariable(name)) delete process.env[name]
  return {
    directory: process.cwd(),
    environment,
    ...processTerminal,
    writeError: text => void process.stderr.write(terminalText(text)),
    stopSignal: () => stopSignal,
    async readStdin() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    },
    ask: terminalQuestion(abort.signal),
    signal: abort.signal,
  }
}
