/** Says what a typed line names, while it is typed: a command, an address or a path. */
import type { LineKind, Recognised } from '../../core/api/sources.ts'
import { counted } from '../../core/text/wording.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import { serverOfFile, serversNamedBy, toWords } from './detect-source.ts'
import { entrySource } from './open-entry.ts'

/** Returns whether a text is a command, an address or a path. Other texts are JSON: a manifest or entries of servers. */
export function isTypedLine(text: string): boolean {
  // One comment at a time: a single pattern for all of them takes time that doubles with each comment.
  const comment = /\s*(?:\/\/.*\n|\/\*[\s\S]*?\*\/)/y
  let end = 0
  while (comment.test(text)) end = comment.lastIndex
  return !/^\s*(?:\{|\[(?![\da-f:]+\])|"[^"\n]*"\s*:)/i.test(text.slice(end))
}

/**
 * Recognises a typed line. It starts nothing, sends nothing and reads at most the beginning of a file, or a file that
 * lists servers. Rejects with AppError `source-not-found`, `source-unrecognised` (with what was searched),
 * `not-an-address`, `config-invalid` or `usage`.
 */
export async function recogniseLine(text: string, context: SourceContext): Promise<Recognised> {
  const line = text.trim()
  const entry = { line }
  const servers = serversNamedBy(line, context.directory)
  if (servers !== null && servers.length !== 1) {
    const source = { name: '', about: servers.map(({ name }) => name).join(', '), entry }
    return {
      about: `A file with ${counted(servers.length, 'MCP server')}`,
      line: 'servers',
      choose: 'several',
      sources: [source],
    }
  }
  const spec = await entrySource(entry, undefined, context)
  const source = { name: spec.settings.name, about: spec.argument ?? spec.label, entry }
  const isOfFile =
    servers !== null || serverOfFile(toWords(line, context.directory), context.directory) !== null
  const kind = isOfFile
    ? { about: 'An MCP server that a file names', line: 'program' as const }
    : describeKind(spec)
  return { ...kind, choose: 'several', sources: [source] }
}

/** Returns the kind in words, and which settings it has. */
function describeKind({ kind, url }: SourceSpec): { readonly about: string; readonly line: LineKind } {
  if (url !== undefined) return { about: addresses[kind] ?? kind, line: 'address' }
  return { about: programs[kind] ?? kind, line: files.has(kind) ? 'file' : 'program' }
}

const files: ReadonlySet<string> = new Set(['manifest-file', 'recording'])

const addresses: Readonly<Record<string, string>> = {
  'mcp-server': 'The address of an MCP server',
  'bridge-url': 'The address of a bridge',
  address: 'An address of an MCP server, a bridge or a manifest',
}

const programs: Readonly<Record<string, string>> = {
  'mcp-server': 'A program that is an MCP server',
  'llms-program': 'A program that answers --llms',
  'functions-directory': 'An llm-functions directory',
  'manifest-file': 'A manifest file',
  recording: 'A recording: its calls answer as recorded',
  program: 'A program: an MCP server, or one that answers --llms',
}
