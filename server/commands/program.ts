/**
 * The process of one command line: its streams, signals and exit code. Importing this file, as main.ts does, runs it.
 */
import { exitCodes } from '../../core/errors.ts'
import { terminalText } from '../../core/text/terminal-text.ts'
import { killAllStarted, killTrackedTrees } from '../process/process-tree.ts'
import { terminalQuestion } from '../process/terminal-question.ts'
import { isOwnVariable } from '../sources/program-environment.ts'
import { type ProgramContext, run, signalExitCode } from './run.ts'
import { processTerminal } from './terminal.ts'

/** Milliseconds after a signal, or after the time that a server has to drain: until running programs are killed, and until this process exits in any case. */
const killAfterMs = 800
const endAfterMs = 1_500

/** Why stdout can no longer be written. */
let outputError: NodeJS.ErrnoException | undefined
let stopSignal: NodeJS.Signals | undefined

process.exitCode = await run(process.argv.slice(2), processContext())
// Does not wait for open handles (an idle keep-alive socket) after all output is written.
await Promise.all(
  [process.stdout, process.stderr].map(stream => new Promise<void>(done => stream.write('', () => done()))),
)
// A reader that closes the pipe (`toolscope diff a b | head`) does not change the exit code.
if (outputError !== undefined && outputError.code !== 'EPIPE' && outputError.code !== 'EOF') {
  processTerminal.say(`toolscope: the output could not be written: ${outputError.message}`)
  process.exitCode = exitCodes.unexpected
}
process.exit()

function processContext(): ProgramContext {
  const abort = new AbortController()
  let timers: readonly NodeJS.Timeout[] = []
  const setTimeToEnd = (milliseconds: number) => {
    for (const timer of timers) clearTimeout(timer)
    timers = [
      setTimeout(killTrackedTrees, milliseconds + killAfterMs).unref(),
      setTimeout(
        () => process.exit(signalExitCode(stopSignal ?? 'SIGTERM')),
        milliseconds + endAfterMs,
      ).unref(),
    ]
  }
  // SIGHUP: the terminal was closed. A second signal ends this program and the programs that it started immediately.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopSignal !== undefined) process.exit(signalExitCode(signal))
      stopSignal = signal
      abort.abort()
      process.once('exit', killAllStarted)
      setTimeToEnd(0)
    })
  process.stdout.on('error', error => {
    outputError ??= error
  })
  // A closed stderr must not change the exit code.
  process.stderr.on('error', () => {})
  const environment = { ...process.env }
  // Programs that inherit this process's environment (the browser) must not get Toolscope's variables.
  for (const name of Object.keys(process.env)) if (isOwnVariable(name)) delete process.env[name]
  return {
    directory: process.cwd(),
    environment,
    ...processTerminal,
    writeError: text => void process.stderr.write(terminalText(text)),
    stopSignal: () => stopSignal,
    setTimeToEnd,
    async readStdin() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    },
    ask: terminalQuestion(abort.signal),
    signal: abort.signal,
  }
}
