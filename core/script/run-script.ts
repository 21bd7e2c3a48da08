/** Runs a script: connects the sandbox with the tools, applies limits and records a trace. */
import { toErrorMessage } from '../errors.ts'
import type { CommandAnswer, FromSandbox, Sandbox, ScriptLimits } from './protocol.ts'
import { runToolCommand } from './run-command.ts'
import type { ScriptHost } from './script-tools.ts'
import type { ScriptEnd, ScriptEnding, ScriptEvent, TraceEntry } from './trace.ts'

/** Time, which core cannot read itself. */
export interface Clock {
  /** Returns milliseconds since a fixed moment. */
  now(): number
  /** Calls `act` after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, act: () => void): () => void
}

export interface RunningScript {
  /** Never rejects: the value describes every kind of ending. */
  readonly ended: Promise<ScriptEnd>
  /** Ends the run immediately, whatever the script and its tools are doing. */
  cancel(): void
}

export interface ScriptRun {
  readonly script: string
  readonly world: ScriptHost
  /** A new sandbox; it ends with the run. */
  readonly sandbox: Sandbox
  readonly limits: ScriptLimits
  /** Whether the script may use its own files; true by default. */
  readonly files?: boolean
  readonly clock: Clock
  readonly onEvent: (event: ScriptEvent) => void
}

/** Maximum characters of a call's output in its trace entry. */
const maxTracedCharacters = 10_000

/** Exit codes of runs that were stopped: those of `timeout`, a signalled shell, and bash. */
const exitCodes: Readonly<Record<Exclude<ScriptEnding, 'finished'>, number>> = {
  limit: 124,
  cancelled: 130,
  syntax: 2,
  broken: 125,
}

/** Starts a script. Events start in the next turn of the event loop; none follows `end`. */
export function runScript(run: ScriptRun): RunningScript {
  let cancel = () => {}
  const ended = new Promise<ScriptEnd>(resolve => {
    const runner = new Runner(run, resolve)
    cancel = () => runner.end('cancelled', 'Cancelled.')
    runner.begin()
  })
  return { ended, cancel }
}

class Runner {
  private readonly run: ScriptRun
  private readonly resolve: (end: ScriptEnd) => void
  private readonly startedAt: number
  private readonly written = { stdout: 0, stderr: 0 }
  private saidCut = false
  private clearTimer = () => {}
  /** The command that the script waits for: the engine runs one after the other. */
  private current: { cancel: () => void; entry: TraceEntry | undefined } | undefined
  /** Uncertain output; the only output of a script that is stopped. */
  private drafts: { readonly stream: 'stdout' | 'stderr'; readonly text: string }[] = []
  private calls = 0
  private turn = 0
  private hasEnded = false

  constructor(run: ScriptRun, resolve: (end: ScriptEnd) => void) {
    this.run = run
    this.startedAt = run.clock.now()
    this.resolve = resolve
  }

  begin(): void {
    const { sandbox, clock, limits } = this.run
    const late = `The script took longer than ${limits.timeMs / 1000} s and was ended.`
    this.clearTimer = clock.after(limits.timeMs, () => this.end('limit', late))
    sandbox.listen(
      message => {
        if (!this.hasEnded) this.handleMessage(message)
      },
      reason => this.end('broken', `The engine gave up, most likely for want of memory or stack: ${reason}`),
    )
  }

  private handleMessage(message: FromSandbox): void {
    const { sandbox, script, world, limits, files = true } = this.run
    switch (message.type) {
      case 'ready': {
        const commands = [...world.commands, 'help', 'discover']
        sandbox.send({ type: 'start', script, commands, files, limits })
        break
      }
      case 'output':
        this.handleOutput(message)
        break
      case 'command':
        void this.answer(message)
        break
      case 'ended':
        if (message.whole) {
          this.drafts = []
          this.write('stdout', message.whole.stdout)
          this.write('stderr', message.whole.stderr)
        }
        if (message.truncated) this.reportCut('output')
        this.end('finished', undefined, message.exitCode)
        break
      case 'refused':
        this.end(classifyEnding(message.message), message.message)
    }
  }

  private async answer(message: Extract<FromSandbox, { type: 'command' }>): Promise<void> {
    // The script continued without waiting (`timeout 1 tool`), so its previous command is ended.
    this.cancelCurrentCommand()
    const turn = ++this.turn
    const { name, words, stdin } = message
    const answer =
      name === 'help' || name === 'discover'
        ? await this.run.world.help(name, words).catch(failed)
        : await this.answerOfTool(name, words, stdin)
    if (!this.hasEnded && answer !== null && this.turn === turn)
      this.run.sandbox.send({ type: 'answer', id: message.id, ...answer })
  }

  private async answerOfTool(
    name: string,
    words: readonly string[],
    stdin: string | null,
  ): Promise<CommandAnswer | null> {
    const { world, limits, onEvent } = this.run
    if (this.calls >= limits.calls) {
      this.end('limit', `The script called tools more than ${limits.calls} times.`)
      return null
    }
    const id = ++this.calls
    const startMs = this.elapsed()
    const current = { cancel: () => {}, entry: undefined as TraceEntry | undefined }
    this.current = current
    const answer = await runToolCommand(world, {
      name,
      words,
      stdin,
      started: cancel => {
        current.cancel = cancel
        // The script may have continued while the input was being checked.
        if (this.hasEnded || this.current !== current) cancel()
      },
      limit: limits.toolOutput,
      report: change => {
        if (this.hasEnded || this.current !== current) return
        const before = current.entry ?? { id, command: name, ref: '', input: '', startMs, status: 'running' }
        current.entry = {
          ...before,
          durationMs: roundToTenth(this.elapsed() - startMs),
          ...limitOutput(change),
        }
        onEvent({ type: 'trace', entry: current.entry })
      },
      event: event => {
        if (!this.hasEnded && this.current === current) onEvent({ type: 'call', id, event })
      },
    })
    if (this.current === current) this.current = undefined
    return answer
  }

  /** Ends the current command immediately; its trace entry says so. */
  private cancelCurrentCommand(): void {
    const { current } = this
    if (current === undefined) return
    this.current = undefined
    current.cancel()
    if (current.entry === undefined || current.entry.status !== 'running') return
    const durationMs = roundToTenth(this.elapsed() - current.entry.startMs)
    this.run.onEvent({ type: 'trace', entry: { ...current.entry, durationMs, status: 'cancelled' } })
  }

  private handleOutput({ stdout, stderr, draft }: Extract<FromSandbox, { type: 'output' }>): void {
    for (const [stream, text] of [
      ['stdout', stdout],
      ['stderr', stderr],
    ] as const) {
      if (!draft) this.write(stream, text)
      else if (text !== '') {
        this.drafts.push({ stream, text })
        this.run.onEvent({ type: 'draft', stream, text })
      }
    }
  }

  private write(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return
    const room = Math.max(0, this.run.limits.output - this.written[stream])
    this.written[stream] += text.length
    if (room > 0) this.run.onEvent({ type: 'output', stream, text: text.slice(0, room) })
    if (text.length > room) this.reportCut(stream)
  }

  /** Reported once, because the engine and the limits here both notice a cut. */
  private reportCut(what: string): void {
    if (this.saidCut) return
    this.saidCut = true
    const text = `\ntoolscope: ${what} was cut off: it is too long\n`
    this.run.onEvent({ type: 'output', stream: 'stderr', text })
  }

  end(ending: ScriptEnding, message: string | undefined, exitCode?: number): void {
    if (this.hasEnded) return
    this.cancelCurrentCommand()
    for (const { stream, text } of this.drafts) this.write(stream, text)
    this.hasEnded = true
    this.clearTimer()
    this.run.sandbox.end()
    const end: ScriptEnd = {
      ending,
      exitCode: ending === 'finished' ? (exitCode ?? 0) : exitCodes[ending],
      ...(message === undefined ? {} : { message }),
      durationMs: this.elapsed(),
    }
    this.run.onEvent({ type: 'end', end })
    this.resolve(end)
  }

  private elapsed(): number {
    return roundToTenth(this.run.clock.now() - this.startedAt)
  }
}

/** Rounds milliseconds to one digit after the point. */
function roundToTenth(ms: number): number {
  return Math.round(ms * 10) / 10
}

function limitOutput(
  change: Partial<Omit<TraceEntry, 'id' | 'startMs'>>,
): Partial<Omit<TraceEntry, 'id' | 'startMs'>> {
  const { output } = change
  if (output === undefined || output.length <= maxTracedCharacters) return change
  return { ...change, output: output.slice(0, maxTracedCharacters), outputLength: output.length }
}

function failed(thrown: unknown): CommandAnswer {
  return { stdout: '', stderr: `${toErrorMessage(thrown)}\n`, exitCode: 1 }
}

/** The engine reports only in its message why it stopped. */
function classifyEnding(message: string): ScriptEnding {
  if (/limit exceeded|depth exceeded|exceeds|budget|too large/i.test(message)) return 'limit'
  return /parse error|syntax error/i.test(message) ? 'syntax' : 'broken'
}
