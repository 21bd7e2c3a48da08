/**
 * `toolscope completion` in real shells, each on a terminal of its own (`script`). They are missing on many machines, so
 * `npm run faults` runs this file.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { program, runToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'

vi.setConfig({ testTimeout: 120_000 })

const shells = {
  bash: 'bash --norc --noprofile -i',
  zsh: 'zsh -f -i',
  fish: 'fish --no-config --interactive',
} as const

/** What is typed, with a tab where the shell completes, and the words that the program then gets. */
const cases: readonly (readonly [typed: string, ...words: string[]])[] = [
  ['snaps\t', 'snapshot'],
  ['list --que\tx', 'list', '--query', 'x'],
  ['lint --fail-on nev\t', 'lint', '--fail-on', 'never'],
  ['lint --fail-on=nev\t', 'lint', '--fail-on=never'],
  ['list my\t', 'list', 'my tools'],
  ['list ./tools.js\t', 'list', './tools.json'],
  ['call ap\t', 'call', 'api greet'],
  ['call api\\ gr\t', 'call', 'api greet'],
  ['call "api g\t', 'call', 'api greet'],
  ['call don\t', 'call', 'don\'t "quote" $HOME'],
  ['call "don\t', 'call', 'don\'t "quote" $HOME'],
  ['call ns:\t', 'call', 'ns:get:all'],
  ['call ns:get:a\t', 'call', 'ns:get:all'],
  ['call grö\t--Lä\t5', 'call', 'größe 測定', '--Länge', '5'],
  ['call 星\t', 'call', '星*[x]'],
]

const tools = [
  ...['api greet', 'don\'t "quote" $HOME', 'ns:get:all', '星*[x]'].map(name => ({
    name,
    inputSchema: { type: 'object' },
  })),
  { name: 'größe 測定', inputSchema: { type: 'object', properties: { Länge: { type: 'number' } } } },
]

test.for(Object.entries(shells))(
  'toolscope completion: %s completes words with spaces, quotes, colons and unicode',
  async ([shell, start], { folder }) => {
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
    const toolscope = (...args: string[]) => runToolscope(args, { directory: folder, environment })
    writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools }))
    writeFileSync(
      join(folder, 'toolscope.json'),
      JSON.stringify({ sources: { 'my tools': { manifest: 'tools.json' } } }),
    )
    expect(await toolscope('snapshot')).toMatchObject({ code: 0 })
    const script = await toolscope('completion', shell)
    expect(script).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(join(folder, 'script'), script.stdout)
    const words = join(folder, 'words')
    writeWrapper(folder, words)

    const terminal = spawn('script', ['-qec', start, '/dev/null'], {
      cwd: folder,
      env: {
        ...process.env,
        ...environment,
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        HOME: folder,
        // Bash writes it when it ends.
        HISTFILE: '/dev/null',
        TERM: 'xterm',
        LANG: 'C.UTF-8',
        LC_ALL: 'C.UTF-8',
      },
    })
    const ended = once(terminal, 'exit')
    let shown = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
    })
    try {
      terminal.stdin.write("source ./script; echo rea''dy\r")
      await vi.waitFor(() => expect(shown).toMatch(/^ready/m), { timeout: 20_000 })
      for (const [typed, ...expected] of cases) {
        rmSync(words, { force: true })
        terminal.stdin.write(`toolscope ${typed}\r`)
        await vi.waitFor(() => expect(existsSync(words), `${typed}\n${shown.slice(-500)}`).toBe(true), {
          timeout: 15_000,
        })
        expect(readFileSync(words, 'utf8').split('\0').slice(0, -1), typed).toEqual(expected)
      }
      terminal.stdin.write('exit\r')
      await ended
    } finally {
      terminal.kill('SIGKILL')
    }
  },
)

/** A program `toolscope`: completes with the built program, and writes the words of any other line to a file. */
function writeWrapper(folder: string, words: string): void {
  mkdirSync(join(folder, 'bin'))
  const path = join(folder, 'bin', 'toolscope')
  const lines = [
    '#!/bin/sh',
    `[ "$1" = complete ] && exec '${process.execPath}' '${program}' "$@"`,
    `printf '%s\\0' "$@" > '${words}.part' && mv '${words}.part' '${words}'`,
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  chmodSync(path, 0o755)
}
