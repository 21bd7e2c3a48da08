import { expect, test } from 'vitest'
import { Catalog } from '../../catalog/catalog.ts'
import { detectSource } from '../index.ts'
import { projectPath, testContext } from '../testkit.ts'

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
