import { expect, test } from 'vitest'
import { recentChanges } from './recent-changes.ts'
import { follow, manifest } from './testkit.ts'

const dayMs = 24 * 3_600_000

/** What has changed in a source that listed a tool with each of these limits, one after the other. */
async function changesOf(...limits: readonly number[]) {
  const { versions } = await follow(...limits.map(limit => manifest(['x', limit])))
  return (looked: readonly string[], daysLater = 0) =>
    recentChanges(versions, ['acme', 'closed'], looked, Date.now() + daysLater * dayMs)
}

test('recentChanges: compares a source with the version that was looked at last, however old it is', async () => {
  const changes = await changesOf(3, 2, 1)
  expect(await changes(['acme@1'], 30)).toMatchObject([
    { source: 'acme', from: 'acme@1', to: 'acme@3', counts: { breaking: 1 } },
  ])
  expect(await changes(['other@3', 'acme@3'])).toEqual([])
})

test('recentChanges: compares a source that was not looked at with its previous version, for a week', async () => {
  const changes = await changesOf(3, 2, 1)
  for (const looked of [[], [''], ['acme@latest'], ['acme@77']])
    expect(await changes(looked)).toMatchObject([{ from: 'acme@2', to: 'acme@3' }])
  expect(await changes([], 8)).toEqual([])
  expect(await changes(['acme@77'], 8)).toEqual([])
})

test('recentChanges: ignores a first version, and a list that is the same again', async () => {
  expect(await (await changesOf(3))([])).toEqual([])
  expect(await (await changesOf(3, 2, 3))(['acme@1'])).toEqual([])
})
