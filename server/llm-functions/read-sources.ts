/** Reads the declarations of one source file of a tree in any supported language. */

import { join } from 'node:path'
import { toErrorMessage } from '../../core/errors.ts'
import { argcDeclarations } from './argc.ts'
import type { Declaration, DeclaredSource, SourceRole } from './declaration.ts'
import { javascriptDeclarations } from './javascript.ts'
import { pythonDeclarations } from './python.ts'
import { findToolFile, readTreeFile, type ToolLanguage } from './tree-files.ts'

type Reader = (source: string, role: SourceRole) => DeclaredSource

const readers: Record<Exclude<ToolLanguage, 'unknown'>, Reader> = {
  javascript: javascriptDeclarations,
  python: pythonDeclarations,
  bash: argcDeclarations,
}

export interface ReadSource {
  /** Relative to the tree's root. */
  readonly path: string
  readonly language: ToolLanguage
  readonly declarations: readonly Declaration[]
  readonly problems: readonly string[]
}

/** Reads a tool's source: its only declaration gets the file's name. Returns null if there is no source. */
export function readToolSource(root: string, name: string): ReadSource | null {
  const source = readSource(root, `tools/${name}`, 'tool')
  if (source === null) return null
  const [entry] = source.declarations
  if (entry === undefined || entry.description === '')
    return { ...source, declarations: [], problems: [...source.problems, missing[source.language]] }
  return { ...source, declarations: [{ ...entry, name }] }
}

/** Reads the source of an agent's own tools. Functions without a description are helpers: the build leaves them out. */
export function readAgentSource(root: string, agent: string): ReadSource | null {
  const source = readSource(root, `agents/${agent}/tools`, 'agent')
  if (source === null) return null
  const own = source.language === 'bash' ? source.declarations.slice(1) : source.declarations
  return { ...source, declarations: own.filter(each => each.description !== '') }
}

const missing: Record<ToolLanguage, string> = {
  javascript:
    'The build finds no tool in it: it looks for a line that begins with `exports.run` or `export function run`, right below a comment that describes it.',
  python: 'The build finds no tool in it: it looks for `def run` with a docstring.',
  bash: 'The build finds no tool in it: it looks for a `# @describe` comment.',
  unknown: 'Its language is not known.',
}

const maxSourceCharacters = 1_000_000

function readSource(root: string, base: string, role: SourceRole): ReadSource | null {
  const found = findToolFile(root, base)
  if (found === null || found.language === 'unknown') return null
  try {
    const text = (readTreeFile(join(root, found.path)) ?? '').replaceAll('\r\n', '\n')
    if (text.length > maxSourceCharacters)
      return { ...found, declarations: [], problems: ['The source is too long to be read.'] }
    return { ...found, ...readers[found.language](text, role) }
  } catch (thrown) {
    const detail = toErrorMessage(thrown)
    return { ...found, declarations: [], problems: [`It could not be read: ${detail}`] }
  }
}
