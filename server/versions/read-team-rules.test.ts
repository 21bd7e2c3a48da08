import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { toErrorMessage } from '../../core/errors.ts'
import { test as folderTest } from '../testing/folder-test.ts'
import { followTeamRules, type RuleFile, readTeamRules } from './read-team-rules.ts'

const test = folderTest.extend<{ file: (name: string) => RuleFile }>({
  file: ({ folder }, use) =>
    use(name => ({ path: join(folder, name), name, namedBy: '"rules" of "diff" in toolscope.json' })),
})
const severity = (setting: string) => JSON.stringify({ rules: { 'tool-removed': setting } })

test('team rules: are read again when they change on disk; a problem is reported once per state of the files', async ({
  file,
}) => {
  const rules = file('rules.json')
  const problems: string[] = []
  const read = followTeamRules(
    null,
    () => ({ rules }),
    error => problems.push(toErrorMessage(error)),
  )
  const current = async () => (await read()).rules?.severities['tool-removed']
  writeFileSync(rules.path, severity('info'))
  expect([await current(), read()]).toEqual(['info', read()])
  writeFileSync(rules.path, severity('warning'))
  expect(await current()).toBe('warning')
  rmSync(rules.path)
  await expect(read()).rejects.toMatchObject({ code: 'rules-invalid' })
  await expect(read()).rejects.toMatchObject({ code: 'rules-invalid' })
  writeFileSync(rules.path, severity('off'))
  expect(await current()).toBe('off')
  expect(problems).toEqual([expect.stringContaining('there is no file')])
})

test('team rules: are read from other files when the configuration changes', async ({ folder, file }) => {
  const config = join(folder, 'toolscope.json')
  for (const [name, setting] of [
    ['a.json', 'info'],
    ['b.json', 'off'],
  ] as const)
    writeFileSync(file(name).path, severity(setting))
  writeFileSync(config, 'one')
  let named = 'a.json'
  const read = followTeamRules(
    config,
    () => ({ rules: file(named) }),
    () => {},
  )
  expect((await read()).rules?.file).toBe('a.json')
  named = 'b.json'
  writeFileSync(config, 'another')
  expect((await read()).rules).toEqual({ file: 'b.json', severities: { 'tool-removed': 'off' } })
})

test('team rules: are not read from a pipe of the configuration, but from one of the command line', async ({
  file,
}) => {
  const pipe = file('pipe')
  execFileSync('mkfifo', [pipe.path])
  await expect(readTeamRules({ rules: pipe })).rejects.toThrow('it is not a file')
  const reading = readTeamRules({ rules: { ...pipe, mayBePipe: true } })
  // Opening a pipe waits for the other side: not in this thread.
  await writeFile(pipe.path, severity('off'))
  expect((await reading).rules?.severities).toEqual({ 'tool-removed': 'off' })
})

test('team rules: have errors that name the line and quote nothing of the file', async ({ file }) => {
  const rules = file('key.pem')
  writeFileSync(rules.path, '-----BEGIN KEY-----\nsecret')
  const error = await readTeamRules({ rules }).catch(toErrorMessage)
  expect(error).toMatch(/key\.pem:1: \w+ \(named by "rules" of "diff" in toolscope\.json\)$/)
})
