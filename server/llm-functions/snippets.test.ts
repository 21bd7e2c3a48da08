/** Odd sources, each with the list that llm-functions' build makes of it, or `refused` where the build fails. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { originalsFolder } from '../../scripts/originals.ts'
import { readAgentSource, readToolSource } from './read-sources.ts'
import { makeTree } from './testkit.ts'

/**
 * Runs the original's script for each `[root, path]` of stdin in one process; prints what it printed, or null where it
 * failed.
 */
const drivers = {
  javascript: {
    words: [process.execPath, '-e'],
    script: 'scripts/build-declarations.js',
    code: `const [script] = process.argv.slice(1)
const lists = JSON.parse(require('node:fs').readFileSync(0, 'utf8')).map(([root, path]) => {
  const log = console.log
  const printed = []
  console.log = text => printed.push(text)
  process.chdir(root)
  process.argv = ['node', script, path]
  delete require.cache[require.resolve(script)]
  try { require(script) } catch { return null } finally { console.log = log }
  return printed.join('')
})
console.log(JSON.stringify(lists))`,
  },
  python: {
    words: ['python3', '-c'],
    script: 'scripts/build-declarations.py',
    code: `import contextlib, io, json, os, runpy, sys
script = sys.argv[1]
lists = []
for root, path in json.load(sys.stdin):
    os.chdir(root)
    sys.argv = [script, path]
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(script, run_name='__main__')
        lists.append(printed.getvalue())
    except Exception:
        lists.append(None)
print(json.dumps(lists))`,
  },
  // Its script asks argc, which no registry has.
  bash: undefined,
} as const

const original = originalsFolder('llm-functions')

describe.each(Object.entries(drivers))('declarations in %s', (language, driver) => {
  const snippets = readSnippets(language)

  test.each(snippets)('are read from snippet $title', ({ path, source, expected }) => {
    expect(listOf(makeTree({ [path]: source }), path)).toBe(expected)
  })

  test.skipIf(driver === undefined || original === null)('equal those of the original script', () => {
    const { words = [], code = '', script = '' } = driver ?? {}
    const [command = '', ...options] = words
    const { stdout, stderr } = spawnSync(command, [...options, code, join(original ?? '', script)], {
      input: JSON.stringify(snippets.map(({ path, source }) => [makeTree({ [path]: source }), path])),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const lists: (string | null)[] = JSON.parse(stdout)
    for (const [index, { source, expected }] of snippets.entries()) {
      const list = lists[index]
      expect({ source, list: list ? JSON.stringify(JSON.parse(list)) : 'refused' }).toEqual({
        source,
        list: expected,
      })
    }
  })
})

/** The list as functions.json would have it, in one line. */
function listOf(root: string, path: string): string {
  const read = path.startsWith('tools/') ? readToolSource : readAgentSource
  const { declarations, problems } = read(root, 'it') ?? { declarations: [], problems: ['no source'] }
  if (problems.some(problem => /^(?:The build|argc) refuses it/.test(problem))) return 'refused'
  return JSON.stringify(
    declarations.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: inputSchema,
    })),
  )
}

/** Each snippet is the path of a file, its lines, and `=>` with the expected list. */
function readSnippets(language: string) {
  const file = new URL(`snippets/${language}.txt`, import.meta.url)
  const found = readFileSync(file, 'utf8').matchAll(/^((?:tools|agents)\/\S+)\n([\s\S]*?)\n=> (.*)$/gm)
  return [...found].map(([, path = '', source = '', expected = ''], index) => {
    const words = /(?:@describe|@cmd|\* |""?"?)\s*([A-Z][^\n"]*)/.exec(source)?.[1]
    return { title: `${index + 1}: ${words ?? source.slice(0, 40)}`, path, source: `${source}\n`, expected }
  })
}
