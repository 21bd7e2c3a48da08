/** Finds the files of a program by its imports with relative paths. */
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, join, resolve, sep } from 'node:path'
import { fileStatus } from '../process/command-line.ts'

/** Enough for a program under development; a larger one is watched in part. */
const maxFiles = 200
const maxFileBytes = 512 * 1024

const scripts = /^\.(?:[cm]?[jt]sx?)$/
const script = /\b(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
const python = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import\b|import[ \t]+([\w.]+))/gm

/**
 * Returns the absolute paths of a command's words that are files, and of the files that those import; for a link, also
 * its target. Interpreters and installed packages are left out. Never throws.
 */
export function programFiles(argv: readonly string[], directory: string): readonly string[] {
  const found = new Set<string>()
  const queue = argv
    .filter(word => word !== process.execPath)
    .map(word => resolve(directory, word))
    .filter(isFile)
  for (const path of queue) {
    if (found.size >= maxFiles) break
    if (found.has(path)) continue
    found.add(path)
    const real = realPath(path)
    if (real !== path) queue.push(real)
    else if (!path.split(sep).includes('node_modules')) queue.push(...findImports(path))
  }
  return [...found]
}

function findImports(path: string): string[] {
  const kind = extname(path)
  if (!scripts.test(kind) && kind !== '.py') return []
  const text = readText(path)
  const folder = dirname(path)
  if (kind === '.py')
    return [...text.matchAll(python)].flatMap(([, from, plain]) => pythonModule(folder, from ?? plain ?? ''))
  return [...text.matchAll(script)].flatMap(([, name = '']) => scriptModule(folder, name))
}

function scriptModule(folder: string, name: string): string[] {
  const base = resolve(folder, name)
  const written = base.replace(/\.([cm]?)js$/, '.$1ts')
  const tries = [
    base,
    written,
    `${base}.js`,
    `${base}.ts`,
    `${base}.json`,
    join(base, 'index.js'),
    join(base, 'index.ts'),
  ]
  return tries.filter(isFile).slice(0, 1)
}

/** Resolves `.sibling` and `package.module`. Modules outside the program's folder are installed and not edited. */
function pythonModule(folder: string, name: string): string[] {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0
  const start = dots > 1 ? resolve(folder, ...Array<string>(dots - 1).fill('..')) : folder
  const base = join(start, ...name.slice(dots).split('.'))
  return [`${base}.py`, join(base, '__init__.py')].filter(isFile).slice(0, 1)
}

function readText(path: string): string {
  try {
    return (fileStatus(path)?.size ?? 0) > maxFileBytes ? '' : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isFile(path: string): boolean {
  try {
    return fileStatus(path)?.isFile() === true
  } catch {
    return false
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
