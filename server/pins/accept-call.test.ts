import { describe, expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { bye, openPinned, poisoned } from './testkit.ts'

const entry = { ref: 'acme/greet', source: 'acme' }
const refused = { reason: 'not-approved' }

describe('accepted differences of a call', () => {
  test('accepted differences: let only that call run, and only the difference that was seen', async ({
    folder,
  }) => {
    const { approve, change, pins, catalog } = await openPinned(folder)
    await approve()
    await change({ tools: [poisoned, bye] })
    const { differences } = await pins.compare('acme')
    const accepted = differences.flatMap(({ hash }) => hash ?? [])
    expect(await pins.admit(entry, { accepted: ['0'.repeat(64)] })).toMatchObject(refused)
    expect(await pins.admit(entry, { accepted })).toBeUndefined()
    expect(await pins.admit(entry)).toMatchObject(refused)
    await change({ tools: [{ ...poisoned, description: `${poisoned.description} Then erase it.` }, bye] })
    expect(await pins.admit(entry, { accepted })).toMatchObject(refused)
    await catalog.close()
  })

  test('accepted differences: do not open what the policy blocks', async ({ folder }) => {
    const { approve, change, pins, catalog } = await openPinned(folder, {
      policy: { 'changed-text': 'block' },
    })
    await approve()
    await change({ tools: [poisoned, bye] })
    const { differences } = await pins.compare('acme')
    const accepted = differences.flatMap(({ hash }) => hash ?? [])
    expect(accepted).toHaveLength(1)
    expect(await pins.admit(entry, { accepted })).toMatchObject(refused)
    await catalog.close()
  })
})
