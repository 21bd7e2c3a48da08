/** The declarations of one source file of a tree, whatever its language. */

import { join } from 'node:path'
import { messageOf } from '../../../core/errors.ts'
import { argcDeclarations } from './declarations/argc.ts'
import type { Declaration, DeclaredSource } from './declarations/declaration.ts'
import { javascriptDeclarations } from './declarations/javascript.ts'
import { pythonDeclarations } from './declarations/python.ts'
import { findSource, type Language, readTextFile } from './tree-files.ts'

const readers: Record<Exclude<Language, 'unknown'>, (source: string) => DeclaredSource> = {
  javascript: javascriptDeclarations,
  python: pythonDeclarations,
  bash: argcDeclarations,
}

export interface ReadSource {
  /** Relative to the tree's root. */
  readonly path: string
  readonly language: Language
  readonly declarations: readonly Declaration[]
  readonly problems: readonly string[]
}

/** A tool's source: its one declaration bears the file's name. Null where there is no source. */
export function readToolSource(root: string, name: string): ReadSource | null {
  const source = readSource(root, `tools/${name}`)
  if (source === null) return null
  const entry = source.declarations.find(each => each.name === (source.language === 'bash' ? 'main' : 'run'))
  const described = entry !== undefined && (source.language !== 'bash' || entry.description !== '')
  if (!described)
    return {
      ...source,
      declarations: [],
      problems: [...source.problems, missing[source.language]],
    }
  return { ...source, declarations: [{ ...entry, name }] }
}

/** The source of an agent's own tools. Functions without a description are helpers: the build leaves them out. */
export function readAgentSource(root: string, agent: string): ReadSource | null {
  const source = readSource(root, `agents/${agent}/tools`)
  if (source === null) return null
  const declarations =
    source.language === 'bash'
      ? source.declarations.filter(each => each.name !== 'main' && each.description !== '')
      : source.declarations
  return { ...source, declarations }
}

const missing: Record<Language, string> = {
  javascript: 'It exports no function `run` with a JSDoc comment above it.',
  python: 'It has no function `run`.',
  bash: 'It has no `# @describe` comment.',
  unknown: 'Its language is not known.',
}

function readSource(root: string, base: string): ReadSource | null {
  const found = findSource(root, base)
  if (found === null || found.language === 'unknown') return null
  try {
    const text = (readTextFile(join(root, found.path)) ?? '').replaceAll('\r\n', '\n')
    return { ...found, ...readers[found.language](text) }
  } catch (thrown) {
    const detail = messageOf(thrown)
    return { ...found, declarations: [], problems: [`It could not be read: ${detail}`] }
  }
}
