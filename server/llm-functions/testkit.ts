/** For tests: trees of files, written out for one test and removed after it. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { resolveInRepository } from '../sources/testkit.ts'
import { functionsDirectory } from './functions-directory.ts'

/** Writes a tree: text, or JSON for other values. A text that begins with `#!` may be executed. */
export function makeTree(files: Readonly<Record<string, unknown>>): string {
  const root = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content))
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(full, 0o755)
  }
  return root
}

/** A copy of the example, so that its cache is written elsewhere. */
export function copyExample(): string {
  const root = temporaryFolder()
  cpSync(resolveInRepository('examples/functions'), root, { recursive: true })
  return root
}

function temporaryFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'functions-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

export function openTree(root: string, environment: Record<string, string> = {}) {
  const context = { directory: '/', environment: { PATH: process.env.PATH, ...environment } }
  return functionsDirectory.open({ functions: root }, { name: 'tree' }, context)
}

/** The folders of LLM_OUTPUT files that lie about. */
export function outputsLeft(): string[] {
  return readdirSync(tmpdir()).filter(name => name.startsWith('toolscope-output-'))
}

/** One tool in functions.json, with the given properties. */
export function entry(name: string, properties: object = {}, more: object = {}) {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties }, ...more }
}
