/** `toolscope skill`, and every line of SKILL.md, typed as it is against a program. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { project } from '../../scripts/project.mjs'
import { acme, program } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'
import { callableNames } from './index.ts'
import { runCommandLine } from './testkit.ts'

const skill = readFileSync(project('SKILL.md'), 'utf8')
const lines = [...skill.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)

/** A folder with the program that SKILL.md names, its examples, and `toolscope` on the PATH. */
function skillFolder(folder: string) {
  writeFileSync(join(folder, 'server.mjs'), `import ${JSON.stringify(pathToFileURL(acme).href)}\n`)
  writeFileSync(join(folder, 'toolscope.json'), '{"sources":{"acme":{"command":["node","server.mjs"]}}}')
  cpSync(project('examples/toolscope.examples/acme'), join(folder, 'toolscope.examples/acme'), {
    recursive: true,
  })
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'toolscope'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(join(bin, 'toolscope'), 0o755)
  const env = {
    ...process.env,
    NO_COLOR: '1',
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    TOOLSCOPE_DATA_DIR: join(folder, 'data'),
  }
  return (line: string) => spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8', env })
}

describe('SKILL.md', () => {
  test('SKILL.md: the front matter has the name of its folder and a description of at most 1024 characters', () => {
    const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(skill) ?? []
    const { name, description } = parse(head) as Record<string, string>
    expect(name).toBe('toolscope')
    expect(description?.length).toBeGreaterThan(0)
    expect(description?.length).toBeLessThanOrEqual(1024)
  })

  test('SKILL.md: every line runs as it is, and together they list, call, check, and find a break', ({
    folder,
  }) => {
    const run = skillFolder(folder)
    const printed = lines.map(line => {
      const { status, stdout, stderr } = run(line)
      expect(status, `${line}\n${stderr}`).toBe(0)
      return { line, text: `${stdout}${stderr}` }
    })
    const answers = (start: string) => printed.filter(({ line }) => line.startsWith(`toolscope ${start}`))
    for (const [command, count, text] of [
      ['list', 2, 'api greet'],
      ['discover', 1, 'api_greet'],
      ['help', 1, '--name <string>'],
      ['call', 3, 'Ada, and welcome'],
      ['check', 1, '2 passed · 0 failed'],
      ['lint', 1, 'openai-name'],
      ['snapshot', 1, 'tools.lock.json'],
      ['diff', 1, 'Nothing changed'],
    ] as const) {
      const found = answers(command)
      expect(found.length, command).toBe(count)
      for (const each of found) expect(each.text, each.line).toContain(text)
    }
    expect(lines).toHaveLength(11)

    // The list loses every tool: the last line says so, with the exit code of the table.
    writeFileSync(join(folder, 'server.mjs'), 'console.log("[]")\n')
    const broken = run(lines.at(-1) ?? '')
    expect([broken.status, broken.stdout]).toEqual([5, expect.stringContaining('api greet')])
    expect(skill).toContain('| 5    | a breaking change')
  })
})

describe('skill', () => {
  test('skill: prints SKILL.md, and is one of the commands that --llms lists', async () => {
    expect(await runCommandLine(['skill'])).toMatchObject({ code: 0, stdout: skill, stderr: '' })
    expect(callableNames).toContain('skill')
  })

  test('skill --install: writes the file into a folder of its name, and says if it is there already', async ({
    folder,
  }) => {
    const install = () => runCommandLine(['skill', '--install', '.claude/skills'], { directory: folder })
    const file = join(folder, '.claude/skills/toolscope/SKILL.md')
    expect(await install()).toMatchObject({ code: 0, stdout: `${file}\n` })
    expect(readFileSync(file, 'utf8')).toBe(skill)
    expect(await install()).toMatchObject({ code: 0, stdout: expect.stringContaining('installed already') })
  })

  test('skill --install: keeps a file with another text unless --force, and never follows a link', async ({
    folder,
  }) => {
    const file = join(folder, 'toolscope', 'SKILL.md')
    mkdirSync(join(folder, 'toolscope'))
    writeFileSync(file, 'my own')
    const install = (...more: string[]) =>
      runCommandLine(['skill', '--install', '.', ...more], { directory: folder })
    expect(await install()).toMatchObject({ code: 2, stderr: expect.stringContaining('another text') })
    expect(readFileSync(file, 'utf8')).toBe('my own')
    expect(await install('--force')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(skill)

    rmSync(file)
    writeFileSync(join(folder, 'notes.md'), 'notes')
    symlinkSync(join(folder, 'notes.md'), file)
    expect(await install('--force')).toMatchObject({ code: 2, stderr: expect.stringContaining('not a file') })
    expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('notes')
    expect(readdirSync(join(folder, 'toolscope'))).toEqual(['SKILL.md'])
  })

  test('skill --install: does not write through a folder that is a link', async ({ folder }) => {
    for (const name of ['skills', 'elsewhere']) mkdirSync(join(folder, name))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'skills', 'toolscope'))
    for (const more of [[], ['--force']])
      expect(
        await runCommandLine(['skill', '--install', 'skills', ...more], { directory: folder }),
      ).toMatchObject({ code: 2, stderr: expect.stringContaining('not a folder') })
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
  })
})
