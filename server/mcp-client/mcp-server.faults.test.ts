import { expect, test } from 'vitest'
import { Catalog } from '../catalog/catalog.ts'
import { detectSource } from '../recognise/detect-source.ts'
import { projectPath, testContext } from '../sources/testkit.ts'

test('a server that says all the time that its list has changed is read about once a second', async () => {
  const program = [process.execPath, projectPath('server/sources/fixtures/mcp-quirks-old.mjs'), '--news']
  const catalog = new Catalog(testContext)
  let readings = 0
  catalog.sources.onManifest(() => {
    readings += 1
  })
  const state = await catalog.sources.open(await detectSource(`mcp:${program.join(' ')}`, testContext))
  expect(state.status).toBe('ready')
  const first = readings
  await new Promise(resolve => setTimeout(resolve, 3_500))
  const more = readings - first
  await catalog.sources.stop(state.name)
  expect(more).toBeGreaterThanOrEqual(2)
  expect(more).toBeLessThanOrEqual(5)
})

test('a list in one message beyond the limit: the error says how long it is, the limit, and what to do', async () => {
  const program = [process.execPath, projectPath('server/sources/fixtures/mcp-raw.mjs'), '--long', '70']
  const catalog = new Catalog(testContext)
  const { status, error } = await catalog.sources.open(
    await detectSource(`mcp:${program.join(' ')}`, testContext),
  )
  await catalog.close()
  expect(status).toBe('failed')
  expect(error?.detail).toMatch(/sent a message of 70\.0 MiB, 6\.0 MiB more than the limit of 64 MiB/)
  expect(error?.hint).toMatch(/nextCursor/)
})

test('a message without an end is not waited for', async () => {
  const program = [process.execPath, projectPath('server/sources/fixtures/mcp-raw.mjs'), '--endless']
  const catalog = new Catalog(testContext)
  const { error } = await catalog.sources.open(await detectSource(`mcp:${program.join(' ')}`, testContext))
  await catalog.close()
  expect(error?.detail).toMatch(/sent a message of more than 256 MiB, beyond the limit of 64 MiB/)
})
