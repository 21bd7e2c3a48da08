/** Describes what an entry of a configuration starts, for the trust question. */

import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { formatCommand } from '../process/command-line.ts'
import type { McpServerConfig } from '../sources/mcp-server-config.ts'

/** Long enough that padding cannot hide a part that a person would still read. */
const maxCharacters = 10_000

export interface StartingEntry {
  readonly command?: readonly string[] | undefined
  readonly functions?: string | undefined
  readonly mcp?: McpServerConfig | undefined
  readonly directory?: string | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
}

/**
 * Returns one line, secrets masked; undefined for a manifest file or an address, which start nothing. The tools of an
 * llm-functions directory are programs. An address that receives variables of the user's environment needs agreement
 * like a program.
 */
export function whatStarts(entry: StartingEntry): string | undefined {
  const { functions, mcp, environment = {}, directory } = entry
  const inFolder = directory === undefined ? '' : ` (in ${directory})`
  if (functions !== undefined) return line(`${assignments(environment)}the tools in ${functions}${inFolder}`)
  if (mcp !== undefined && 'url' in mcp) {
    const sends = JSON.stringify(mcp).includes('${')
    return sends
      ? line(`${hideAddressSecrets(mcp.url)}, which gets variables of your environment`)
      : undefined
  }
  const command = mcp?.command ?? entry.command
  if (command === undefined) return undefined
  return line(`${assignments({ ...environment, ...mcp?.env })}${formatCommand(command)}${inFolder}`)
}

/** Variables can make any program run another one (`NODE_OPTIONS`, `LD_PRELOAD`). */
function assignments(environment: Readonly<Record<string, string>>): string {
  const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return words.length === 0 ? '' : `${formatCommand(['', ...words]).slice("'' ".length)} `
}

const line = (text: string) => shorten(plainLine(text), maxCharacters)
