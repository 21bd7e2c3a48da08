/** The inside of a sandbox: one script on one engine. Runs in a worker that may hang or die, so its owner ends it. */
import { toErrorMessage } from '../errors.ts'
import { deniedCommandsScript, deniedFileSystem, type HostFileSystem } from './no-files.ts'
import {
  type CommandAnswer,
  type FromSandbox,
  joinOutput,
  splitGluedLines,
  type ToSandbox,
} from './protocol.ts'

interface CommandRequest {
  readonly name: string
  readonly argv: string[]
  readonly stdin: string | null
}

interface ShellResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
}

export interface ShellOptions {
  readonly profile: 'standard'
  readonly username: string
  readonly hostname: string
  readonly cwd: string
  readonly maxCommands: number
  readonly maxLoopIterations: number
  readonly maxMemory: number
  readonly timeoutMs: number
  readonly fs?: HostFileSystem
  readonly customBuiltins: Record<string, (request: CommandRequest) => string | Promise<string>>
}

/** The part of a bash engine that this file uses. */
export interface Shell {
  execute(script: string): Promise<unknown>
  executeWithOutput(script: string, onOutput: (stdout: string, stderr: string) => void): Promise<ShellResult>
}

export type StartMessage = Extract<ToSandbox, { type: 'start' }>

const workingDirectory = '/tmp'

/** Commands that wrapped commands run after each call. */
const notesCommand = '__toolscope_notes'
const statusCommand = '__toolscope_status'

/** Handles the messages to a sandbox; `send` receives its messages. */
export function createSandboxRun(
  makeShell: (options: ShellOptions) => Shell,
  send: (message: FromSandbox) => void,
): (message: ToSandbox) => void {
  const waiting = new Map<number, (answer: CommandAnswer) => void>()
  let lastId = 0

  const ask = ({ name, argv, stdin }: CommandRequest): Promise<CommandAnswer> =>
    new Promise(resolve => {
      const id = ++lastId
      waiting.set(id, resolve)
      send({ type: 'command', id, name, words: argv, stdin })
    })

  return message => {
    if (message.type === 'start') void new ShellRun(message, ask, send).run(makeShell)
    else {
      const resolve = waiting.get(message.id)
      waiting.delete(message.id)
      resolve?.(message)
    }
  }
}

class ShellRun {
  private readonly start: StartMessage
  private readonly ask: (request: CommandRequest) => Promise<CommandAnswer>
  private readonly send: (message: FromSandbox) => void
  private readonly wrapped: boolean
  private last: CommandAnswer = { stdout: '', stderr: '', exitCode: 0 }
  /** Whether nothing was written after the last answer except its own text. */
  private isLatest = false
  /** The stderr of successful commands, because the engine reads only their stdout. */
  private notes = ''
  /** The engine's text for each failed command, and the command's exact text. */
  private failures: { readonly printed: string; readonly exact: string }[] = []

  constructor(start: StartMessage, ask: ShellRun['ask'], send: ShellRun['send']) {
    this.start = start
    this.ask = ask
    this.send = send
    this.wrapped = usesExitCodes(start.script)
  }

  async run(makeShell: (options: ShellOptions) => Shell): Promise<void> {
    const { script, commands } = this.start
    try {
      const shell = makeShell(this.options())
      if (!this.start.files) await shell.execute(deniedCommandsScript(commands))
      if (this.wrapped) await shell.execute(commands.map(wrapper).join('\n'))
      const live = canStream(script, this.wrapped)
      const result = await shell.executeWithOutput(script, (stdout, stderr) => {
        const exact = this.exactStderr(stderr)
        if (stdout !== '' || !this.last.stderr.startsWith(exact.trimEnd())) this.isLatest = false
        this.send({ type: 'output', stdout, stderr: exact, draft: !live })
      })
      const { stdout, stdoutTruncated, stderrTruncated } = result
      const stderr = this.exactStderr(result.stderr)
      this.send({
        type: 'ended',
        exitCode: this.exitCodeOf(result),
        truncated: stdoutTruncated || stderrTruncated,
        ...(live ? {} : { whole: { stdout, stderr: joinOutput(stderr, this.notes) } }),
      })
    } catch (thrown) {
      this.send({ type: 'refused', message: toErrorMessage(thrown) })
    }
  }

  private options(): ShellOptions {
    const { commands, limits } = this.start
    const builtins: ShellOptions['customBuiltins'] = Object.create(null)
    for (const name of commands) builtins[name] = request => this.command(request)
    builtins[notesCommand] = () => this.last.stderr
    builtins[statusCommand] = () => String(this.last.exitCode)
    return {
      profile: 'standard',
      username: 'user',
      hostname: 'toolscope',
      cwd: workingDirectory,
      ...(this.start.files ? {} : { fs: deniedFileSystem(workingDirectory) }),
      maxCommands: limits.commands,
      maxLoopIterations: limits.loopTurns,
      maxMemory: limits.memory,
      // The owner's timeout is shorter: it can also stop a loop that never returns.
      timeoutMs: limits.timeMs + 5_000,
      customBuiltins: builtins,
    }
  }

  /** Runs a command on an engine for which a text is a success and an exception a failure. */
  private async command(request: CommandRequest): Promise<string> {
    this.isLatest = false
    const answer = await this.ask(request)
    this.last = answer
    if (this.wrapped) return answer.stdout
    if (answer.exitCode !== 0) {
      this.isLatest = true
      // The engine adds the name as prefix.
      const prefix = `${request.name}: `
      const text = answer.stderr.startsWith(prefix) ? answer.stderr.slice(prefix.length) : answer.stderr
      const message = text.trimEnd()
      this.failures.push({ printed: `${prefix}${message}\n`, exact: answer.stderr })
      throw new Error(message)
    }
    if (answer.stderr !== '') {
      this.notes += answer.stderr
      this.send({
        type: 'output',
        stdout: '',
        stderr: answer.stderr,
        draft: !canStream(this.start.script, false),
      })
    }
    return answer.stdout
  }

  /** Restores the exact stderr: the engine adds the name before a failed command's text and a line break after it. */
  private exactStderr(stderr: string): string {
    let text = stderr
    let from = 0
    for (const { printed, exact } of this.failures) {
      const at = text.indexOf(printed, from)
      if (at < 0) continue
      text = text.slice(0, at) + exact + text.slice(at + printed.length)
      from = at + exact.length
    }
    return splitGluedLines(text)
  }

  /** The engine's 1 may replace the exit code of the command that ended the script. */
  private exitCodeOf({ exitCode }: ShellResult): number {
    return exitCode === 1 && !this.wrapped && this.isLatest ? this.last.exitCode : exitCode
  }
}

function wrapper(name: string): string {
  return `${name}() { command ${name} "$@" || return $?; ${notesCommand} >&2; return $(${statusCommand}); }`
}

/**
 * Returns whether the script can distinguish failures. For our commands the engine knows only 0 and 1; other codes need
 * a function around each command, which prevents live output of pipes (see `canStream`). The same applies if the script
 * reads the text of a failure (`2>&1`), to which the engine adds the name.
 */
export function usesExitCodes(script: string): boolean {
  return /\$\?|\$\{\?|PIPESTATUS|errexit|\bset\s+-\w*e|\btrap\b|--dry-run|2>|&>|\|&/.test(script)
}

/**
 * Returns whether the engine's live output is reliable: it reports what a loop, a function or a group writes into a
 * pipe, a file or a substitution as if it were printed. The final output is always right.
 */
export function canStream(script: string, wrapped: boolean): boolean {
  const plain = script.replaceAll('||', ' ')
  const captures = /[|>`]|[$<]\(/.test(plain)
  if (!captures) return true
  const groups =
    /\b(?:for|while|until|if|case|select|function|eval|bash|sh|source|time|coproc)\b|(?<![$<])[({]/
  return !wrapped && !groups.test(plain)
}
