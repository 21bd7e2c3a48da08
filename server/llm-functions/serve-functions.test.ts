/** An llm-functions directory through the built program: served, called with an agent's variables, ended by signals. */
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { project } from '../../scripts/project.mjs'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { program, startToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'

test('toolscope serve: lists the agents of the example and calls a tool with variables', async ({
  folder,
}) => {
  cpSync(project('examples/functions'), join(folder, 'functions'), { recursive: true })
  const running = await startToolscope([join(folder, 'functions')])
  const agents = await (await running.request('/api/agents')).json()
  expect(agents.agents).toMatchObject([{ source: 'functions', name: 'garden' }])
  const answer = await running.request('/api/invocations', {
    ref: agents.agents[0].ownTools[0].ref,
    input: { name: 'Kale', bed: 2 },
    options: { variables: { owner: 'Ada' } },
  })
  expect((await answer.text()).trim().split('\n').at(-1)).toContain(
    'Kale grows in bed 2 of Ada’s garden in Bergen.',
  )
  await running.stop()
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`toolscope call: ends without leaving a process or a file after ${signal}`, async ({ folder }) => {
    const [tree, temporary, mark] = ['tree', 'temporary', 'mark'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const path of [join(tree, 'bin'), temporary]) mkdirSync(path, { recursive: true })
    writeFileSync(
      join(tree, 'functions.json'),
      '[{"name":"it","description":"Waits.","parameters":{"type":"object","properties":{}}}]',
    )
    writeFileSync(
      join(tree, 'bin/it'),
      `#!/usr/bin/env bash\nsleep 97 &\necho $! > '${mark}.new' && mv '${mark}.new' '${mark}'\nwait\n`,
    )
    chmodSync(join(tree, 'bin/it'), 0o755)
    const child = spawn(process.execPath, [program, 'call', 'it', tree], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.once('exit', resolve))
    await until(() => existsSync(mark))
    expect(readdirSync(temporary)).toHaveLength(1)
    child.kill(signal)
    expect(await ended).toBe(128 + constants.signals[signal])
    expect(readdirSync(temporary)).toEqual([])
    expect(isRunning(Number(readFileSync(mark, 'utf8')))).toBe(false)
  })
