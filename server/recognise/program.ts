/** Source kind: a bare command. Opening it shows whether the program answers `--llms` or is an MCP server over stdio. */
import { withoutUndefined } from '../../core/json/json.ts'
import { mcpServer } from '../mcp-client/mcp-server.ts'
import { baseName } from '../process/command-line.ts'
import { llmsProgram } from '../sources/llms-program.ts'
import type { LlmsProgramConfig } from '../sources/read-program-manifest.ts'
import type { SourceKind } from '../sources/source.ts'
import { openInTurn, secondWayMs, type Way } from './ask-in-turn.ts'
import { findStarted } from './source-name.ts'

/** Milliseconds for the first and for the second way of a program about which nothing is known. */
const maxGuessMs = 9_000
const maxSecondGuessMs = 5_000

/** How each program answered; the next opening tries this way first. */
const answers = new WeakMap<LlmsProgramConfig, 'llms' | 'mcp'>()

export const program: SourceKind<LlmsProgramConfig> = {
  kind: 'program',

  detect: (words, context) => llmsProgram.detect(words, context),

  async open(config, settings, context) {
    const { command, directory } = config
    const known = answers.get(config)
    const likely = known ?? (looksLikeServer(command) ? 'mcp' : 'llms')
    // A program that answers neither way fails soon, unless its words say that it is a server: it may be installed first.
    const isGuess = known === undefined && likely === 'llms'
    const maxFirstMs = isGuess ? (settings.listTimeoutMs ?? maxGuessMs) : undefined
    const maxSecondMs = settings.listTimeoutMs ?? (isGuess ? maxSecondGuessMs : secondWayMs)
    const llms: Way = {
      requestedAs: 'with --llms',
      maxMs: likely === 'llms' ? maxFirstMs : maxSecondMs,
      open: () => llmsProgram.open(config, settings, context),
      answered: () => answers.set(config, 'llms'),
    }
    const mcp: Way = {
      requestedAs: 'as an MCP server',
      maxMs: likely === 'mcp' ? maxFirstMs : maxSecondMs,
      isStdio: true,
      open: () =>
        mcpServer.open(
          withoutUndefined({ command, directory, inherits: 'everything' as const }),
          settings,
          context,
        ),
      answered: () => answers.set(config, 'mcp'),
    }
    return openInTurn(likely === 'mcp' ? [mcp, llms] : [llms, mcp])
  },
}

/** `npx -y some-mcp`, `uvx …`, `docker run -i …`, `node server.js`: the usual commands of MCP servers. */
function looksLikeServer(command: readonly string[]): boolean {
  const [first = ''] = command
  return (
    /^(npx|bunx|uvx|pipx|docker|podman)$/.test(baseName(first)) ||
    baseName(findStarted(command)) === 'server' ||
    command.some(word => /mcp|modelcontextprotocol/i.test(word))
  )
}

/** `llms:node tools.mjs`: a program that is only asked with `--llms`, as `mcp:` is only asked as an MCP server. */
export const prefixedProgram: SourceKind<LlmsProgramConfig> = {
  ...llmsProgram,
  async detect(words, context) {
    const [first = '', ...rest] = words
    const program = /^llms:(.*)$/s.exec(first)?.[1]
    return program === undefined
      ? null
      : llmsProgram.detect(program === '' ? rest : [program, ...rest], context)
  },
}
