/** Source kind: a bare command. What the program is shows when it is asked: with `--llms`, or as an MCP server over stdio. */

import { withoutUndefined } from '../../core/json/json.ts'
import { mcpServer } from '../mcp-client/mcp-server.ts'
import { baseName, programName } from '../process/command-line.ts'
import { llmsProgram } from '../sources/llms-program.ts'
import type { LlmsProgramConfig } from '../sources/read-manifest.ts'
import type { SourceKind } from '../sources/source.ts'
import { openTwoWays, type Way } from './two-ways.ts'

/** How each program answered: it is asked in that way when it is opened again. */
const answers = new WeakMap<LlmsProgramConfig, 'llms' | 'mcp'>()

export const program: SourceKind<LlmsProgramConfig> = {
  kind: 'program',

  detect: (words, context) => llmsProgram.detect(words, context),

  async open(config, settings, context) {
    const { command, directory } = config
    const llms: Way = {
      asked: 'with --llms',
      open: () => llmsProgram.open(config, settings, context),
      answered: () => answers.set(config, 'llms'),
    }
    const mcp: Way = {
      asked: 'as an MCP server',
      open: () => mcpServer.open(withoutUndefined({ command, directory }), settings, context),
      answered: () => answers.set(config, 'mcp'),
    }
    const likely = answers.get(config) ?? (looksLikeServer(command) ? 'mcp' : 'llms')
    return likely === 'mcp' ? openTwoWays(mcp, llms) : openTwoWays(llms, mcp)
  },
}

/** `npx -y some-mcp`, `uvx …`, `docker run -i …`, `node server.js`: what people write for an MCP server. */
function looksLikeServer(command: readonly string[]): boolean {
  const [first = ''] = command
  return (
    /^(npx|bunx|uvx|pipx|docker|podman)$/.test(baseName(first)) ||
    programName(command) === 'server' ||
    command.some(word => /mcp|modelcontextprotocol/i.test(word))
  )
}
