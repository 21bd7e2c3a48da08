/** The built page of an export, as it ships with the program. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../core/errors.ts'
import type { PageFiles } from './index-html.ts'

export interface BuiltPage {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly names: Omit<PageFiles, 'catalog'>
  /** The program that compares, which the page asks for as a part of the data. */
  readonly worker: { readonly name: string; readonly program: string }
}

export async function readBuiltPage(): Promise<BuiltPage> {
  const root = fileURLToPath(new URL('../export', import.meta.url))
  const names = await readdir(join(root, 'assets')).catch(() => [])
  const find = (pattern: RegExp) => {
    const name = names.find(each => pattern.test(each))
    if (name !== undefined) return `assets/${name}`
    throw new AppError('internal', `the page of an export is missing from this installation (${root})`, {
      hint: 'From a checkout: npm run build.',
    })
  }
  const found = {
    theme: find(/^theme-.*\.js$/),
    style: find(/^style-.*\.css$/),
    script: find(/^page-.*\.js$/),
  }
  const worker = find(/^diff\.worker-.*\.js$/)
  const paths = [...Object.values(found), 'favicon.svg']
  const contents = await Promise.all(paths.map(path => readFile(join(root, path))))
  return {
    files: new Map(paths.map((path, at) => [path, contents[at] ?? Buffer.alloc(0)])),
    names: found,
    worker: {
      name: worker.replace(/^.*\//, '').replace(/\.js$/, ''),
      program: await readFile(join(root, worker), 'utf8'),
    },
  }
}
