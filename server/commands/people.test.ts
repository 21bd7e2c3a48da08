/** `toolscope people`: what a user types and reads. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openStore } from '../store/open-store.ts'
import { addPerson, listPeople } from '../store/stored-people.ts'
import { runCommandLine } from './testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-people-'))
const environment = { TOOLSCOPE_DATA_DIR: folder }
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const people = (...args: readonly string[]) => runCommandLine(['people', ...args], { environment })

it('people rotate: prints no token that would be refused, and takes a new time', async () => {
  const store = await openStore({ environment, say: () => {} })
  await addPerson(store, { name: 'late', rights: ['read'], expiresAt: Date.now() - 1 })
  const refused = await people('rotate', 'late')
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('toolscope people rotate late --expires 30d')
  const rotated = await people('rotate', 'late', '--expires', '30d')
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringMatching(/^tsp_/)])
  const [late] = await listPeople(store)
  await store.close()
  expect(Date.parse(late?.expiresAt ?? '')).toBeGreaterThan(Date.now())
})

it('people: refuses options that an action would ignore', async () => {
  for (const args of [
    ['rotate', 'late', '--rights', 'read,call'],
    ['revoke', 'late', '--expires', '3d'],
    ['list', '--calls-at-a-time', '3'],
  ]) {
    const { code, stdout, stderr } = await people(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`toolscope people ${args[0]} does not take ${args.at(-2)}`)
  }
})

it('people list: lists one person by its name', async () => {
  await people('add', 'ada')
  expect((await people('list', 'ada')).stdout).toMatch(/^ada {2}tsp_.*\n$/)
  expect((await people('list', 'unknown')).code).toBe(2)
})
