/** `toolscope compare` over real programs: what differs, what is left out, what is never called, and what is refused. */
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ComparedPair } from '../../core/api/compare.ts'
import { shopOf } from '../../scripts/check-project.testkit.ts'
import { test } from '../testing/folder-test.ts'
import { compareCommand } from './compare.ts'

/** The project, and a way to run the command in it. */
function projectOf(folder: string) {
  const { write, example } = shopOf(folder)
  write('list.json', '{"tools":[{"name":"order","inputSchema":{}}]}')
  const run = async (input: Record<string, unknown>) => {
    const context = {
      directory: folder,
      environment: { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, '.data'), SHOP_KEY: 'sesame-sesame' },
      say: () => {},
      write: () => {},
      readStdin: async () => '',
      signal: new AbortController().signal,
    }
    const parsed = compareCommand.input.parse({ a: 'shop', b: 'staging', trust: true, ...input })
    const { output, exitCode, text } = await compareCommand.run(parsed, context)
    const { pairs, counts } = output as { pairs: ComparedPair[]; counts: Record<string, number> }
    return { exitCode, text, counts, pair: (name: string) => pairs.find(each => each.name === name) }
  }
  return { write, example, run }
}

test('toolscope compare: reports differences of two versions, and what is masked, failed or skipped', async ({
  folder,
}) => {
  const { write, example, run } = projectOf(folder)
  example('order', 'plain', {})
  example('order', 'secret', { key: `\${env:SHOP_KEY}` })
  example('save', 'saves', {})
  example('wipe', 'wipes', {})
  example('gone', 'leaves', {})

  const unmasked = await run({})
  expect(unmasked.exitCode).toBe(4)
  expect(unmasked.pair('plain')?.differences.map(({ path }) => path)).toEqual([
    '/id',
    '/lines/0/at',
    '/lines/0/total',
  ])
  expect(unmasked.pair('leaves')).toMatchObject({ status: 'failed', message: 'staging has no such tool' })
  expect(unmasked.pair('saves')).toMatchObject({ status: 'skipped', flag: 'allow-writes' })
  expect(unmasked.pair('wipes')).toMatchObject({ status: 'skipped', flag: 'allow-destructive' })
  expect(unmasked.text).toContain(
    '– save · saves · skipped: it does not say that it only reads (--allow-writes',
  )

  const times = { path: '/**', pattern: '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z' }
  write('toolscope.masks.json', JSON.stringify({ masks: [{ path: '/id' }, times] }))
  const masked = await run({ tool: 'order' })
  expect(masked.pair('plain')).toMatchObject({
    differences: [{ path: '/lines/0/total', a: '1', b: '2' }],
    durationsMs: { a: expect.any(Number), b: expect.any(Number) },
  })
  expect(masked.text).toContain('✗ order · plain · the answers differ at 1 location')
  expect(masked.text).toContain('    /lines/0/total  shop 1, staging 2')
  expect(masked.text).toContain('0 the same · 2 not the same · 0 skipped')

  const everywhere = { masks: [{ path: '/lines' }, { path: '/id' }] }
  write('mine.json', JSON.stringify(everywhere))
  const junit = await run({ masks: 'mine.json', tool: 'order', format: 'junit' })
  expect(junit.exitCode).toBe(0)
  expect(junit.text).toContain('<testsuites name="toolscope compare shop staging" tests="2" failures="0">')

  const destructive = await run({ allowDestructive: true, tool: 'wipe', masks: 'mine.json' })
  expect(destructive.pair('wipes')?.status).toBe('same')

  // The value of the variable went to both programs, and came back from both.
  write('mine.json', '{"masks":[{"path":"/lines"}]}')
  const told = await run({ tool: 'order', masks: 'mine.json', format: 'json' })
  expect(told.exitCode).toBe(4)
  expect(told.text).not.toContain('sesame')

  // The calls of before are in the history: each different input is one pair.
  const repeated = await run({ examples: false, history: 10, tool: 'order' })
  expect(repeated.counts).toMatchObject({ different: 1, failed: 0 })
  expect(repeated.text).toMatch(/order · call of \d{4}-/)
})

test('toolscope compare: accepts a program as a side, and explains what cannot be called', async ({
  folder,
}) => {
  const { example, run, write } = projectOf(folder)
  example('order', 'plain', { n: 1 })
  write('toolscope.masks.json', '{"masks":[{"path":"/id"},{"path":"/**/at"}]}')
  expect(await run({ b: 'node shop.mjs v1' })).toMatchObject({ exitCode: 0, counts: { same: 1 } })
  expect(await run({ a: 'staging', b: ['node', 'shop.mjs', 'v1'], from: 'shop' })).toMatchObject({
    exitCode: 4,
  })

  const refused = (input: Record<string, unknown>) => run(input).catch((thrown: Error) => thrown.message)
  expect(await refused({ b: 'shop@3' })).toContain('shop@3 is a kept version')
  expect(await refused({ b: 'git:HEAD:list.json' })).toContain('a file in git')
  expect(await refused({ b: 'list.json' })).toContain('list has no tool that can be called')
  expect(await refused({ b: undefined })).toContain('two sources')
  expect(await refused({ b: './nowhere' })).toContain('nowhere')
  expect(await refused({ from: 'nobody' })).toContain('no example of nobody')
  write('toolscope.masks.json', '{"masks":[{"path":"id"}]}')
  expect(await refused({})).toContain(
    'toolscope.masks.json is not a mask file: masks.0.path: must begin with /',
  )
})
