import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchLeftovers } from './leftovers.mjs'

test('leftovers: names a process and a folder that a run left, and removes its temporary folder', async () => {
  const run = watchLeftovers()
  const { TMPDIR } = run.environment
  mkdirSync(join(TMPDIR, 'toolscope-data-x'))
  mkdirSync(join(TMPDIR, 'of-a-browser'))
  const child = spawn('sleep', ['60'], { env: { ...process.env, ...run.environment } })
  await once(child, 'spawn')
  try {
    const found = await run.find(0)
    expect(found).toContain(`process ${child.pid}: sleep 60`)
    expect(found).toContain('temporary folder toolscope-data-x')
    expect(found.join()).not.toContain('of-a-browser')
    expect(existsSync(TMPDIR)).toBe(false)
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
