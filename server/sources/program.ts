/** Source kind: a bare command. What the program is shows when it is asked: with `--llms`, or as an MCP server over stdio. */

import { AppError, toAppError } from '../../core/errors.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { baseName, programName } from '../process/command-line.ts'
import { llmsProgram } from './llms-program/llms-program.ts'
import type { LlmsProgramConfig } from './llms-program/read-manifest.ts'
import { mcpServer } from './mcp-server/mcp-server.ts'
import type { CallArguments, Session, SourceContext, SourceKind, SourceSettings } from './source.ts'

/** How a program is asked for its tools. */
type Way = 'llms' | 'mcp'

/** Milliseconds for the second way. The first, which is the likely one, has the limits of its kind. */
const secondWayMs = 10_000

/** How each program answered: it is asked in that way when it is opened again. */
const answers = new WeakMap<LlmsProgramConfig, Way>()

export const program: SourceKind<LlmsProgramConfig> = {
  kind: 'program',

  detect: (words, context) => llmsProgram.detect(words, context),

  async open(config, settings, context) {
    const likely = answers.get(config) ?? (looksLikeServer(config.command) ? 'mcp' : 'llms')
    const open = (way: Way) => openAs(way, config, settings, context)
    return new ProgramSession(likely, await open(likely), open, way => answers.set(config, way))
  },
}

/** `npx -y some-mcp`, `uvx …`, `docker run -i …`, `node server.js`: what people write for an MCP server. */
export function looksLikeServer(command: readonly string[]): boolean {
  const [first = ''] = command
  return (
    /^(npx|bunx|uvx|pipx|docker|podman)$/.test(baseName(first)) ||
    programName(command) === 'server' ||
    command.some(word => /mcp|modelcontextprotocol/i.test(word))
  )
}

function openAs(
  way: Way,
  config: LlmsProgramConfig,
  settings: SourceSettings,
  context: SourceContext,
): Promise<Session> {
  const { command } = config
  return way === 'mcp'
    ? mcpServer.open({ command }, settings, context)
    : llmsProgram.open(config, settings, context)
}

/** Failures that another way of asking may mend. Whoever answers anything else has understood the question. */
const unanswered: readonly string[] = [
  'source-failed',
  'source-timeout',
  'manifest-not-json',
  'manifest-unrecognised',
]

/** The session of the way that the program answers; until one is known, of the likely one. */
class ProgramSession implements Session {
  log?: () => string
  private way: Way
  private session: Session
  private isKnown = false
  private readonly open: (way: Way) => Promise<Session>
  private readonly answered: (way: Way) => void

  constructor(
    likely: Way,
    session: Session,
    open: (way: Way) => Promise<Session>,
    answered: (way: Way) => void,
  ) {
    this.way = likely
    this.session = session
    this.open = open
    this.answered = answered
    if (session.log) this.log = () => session.log?.() ?? ''
  }

  get kind() {
    return this.session.kind ?? llmsProgram.kind
  }
  get label() {
    return this.session.label
  }
  get secrets() {
    return this.session.secrets ?? []
  }
  get problems() {
    return this.session.problems ?? []
  }
  get watch() {
    return this.session.watch ?? []
  }
  get renews() {
    return this.session.renews === true
  }
  about() {
    return this.session.about?.() ?? {}
  }
  busy() {
    return this.session.busy?.() === true
  }

  async manifest(signal: AbortSignal): Promise<Manifest> {
    try {
      const manifest = await this.session.manifest(signal)
      this.know(this.way)
      return manifest
    } catch (thrown) {
      const error = toAppError(thrown)
      if (this.isKnown || signal.aborted || !unanswered.includes(error.code)) throw error
      return this.askOtherwise(error, signal)
    }
  }

  async *call(...parts: CallArguments) {
    yield* this.session.call?.(...parts) ?? []
  }

  close() {
    return this.session.close()
  }

  private async askOtherwise(error: AppError, signal: AbortSignal): Promise<Manifest> {
    const way = this.way === 'mcp' ? 'llms' : 'mcp'
    const other = await this.open(way)
    try {
      const manifest = await inTime(other, signal)
      await this.session.close()
      this.session = other
      delete this.log
      if (other.log) this.log = () => other.log?.() ?? ''
      this.know(way)
      return manifest
    } catch (thrown) {
      await other.close()
      const asked = way === 'mcp' ? 'as an MCP server' : 'with --llms'
      throw new AppError(error.code, error.detail, {
        cause: error,
        hint: `Asked ${asked}, it did not answer either: ${toAppError(thrown).detail}. ${error.toShape().hint}`,
        output: error.output,
      })
    }
  }

  private know(way: Way): void {
    this.way = way
    this.isKnown = true
    this.answered(way)
  }
}

/** The list of a program that may not know the question at all, and waits for another one. */
async function inTime(session: Session, signal: AbortSignal): Promise<Manifest> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(secondWayMs)])
  const late = new Promise<never>((_, reject) => {
    const words = `${session.label} did not answer within ${secondWayMs / 1000} s`
    ended.addEventListener('abort', () => reject(new AppError('source-timeout', words)))
  })
  return Promise.race([session.manifest(ended), late])
}
