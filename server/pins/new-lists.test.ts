/** Which list a call is compared with: the server chooses the moment at which it changes, or reports a change. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { bye, greet, openPinned, poisoned } from './testkit.ts'

const refused = { type: 'failure', reason: 'not-approved' }
const wait = { timeout: 30_000, interval: 10 }
const entry = { ref: 'acme/greet', source: 'acme' }

describe('pins: the newest list', () => {
  test('pins: a reading that began before a reported change does not count', async ({ folder }) => {
    const { approve, write, call, calls, catalog } = await openPinned(folder)
    await approve()
    const holds = join(folder, 'go')
    write({ tools: [greet, bye], holds })
    const connection = catalog.sources.get('acme')
    const reading = catalog.sources.refresh('acme')
    await vi.waitFor(() => expect(connection.changes.isUnread).toBe(true), wait)
    write({ tools: [poisoned, bye] })
    const called = call('acme/greet')
    writeFileSync(holds, '')
    await reading
    expect(await called).toMatchObject(refused)
    expect(calls()).toEqual([])
    await catalog.close()
  })

  test('pins: a reading that began before a new connection does not count', async ({ folder }) => {
    const { approve, write, pins, catalog } = await openPinned(folder)
    await approve()
    const holds = join(folder, 'go')
    write({ tools: [greet, bye], holds })
    const reading = catalog.sources.refresh('acme')
    await vi.waitFor(() => expect(catalog.sources.get('acme').changes.isUnread).toBe(true), wait)
    write({ tools: [poisoned, bye] })
    const admitted = pins.admit(entry, { mustRead: true })
    writeFileSync(holds, '')
    await reading
    expect(await admitted).toMatchObject(refused)
    await catalog.close()
  })

  test('pins: a reading of some lists does not make the others new', async ({ folder }) => {
    const { approve, change, call, catalog } = await openPinned(folder)
    const lists = { tools: [greet, bye], prompts: [], notifies: 'prompts', ttlMs: 3_600_000 }
    await change(lists)
    await catalog.sources.restart('acme')
    await approve()
    const connection = catalog.sources.get('acme')
    const { readAt } = connection
    const { refreshedAt } = catalog.sources.stateOf(connection)
    expect(readAt).toBeDefined()
    expect(existsSync(join(folder, 'tools.json.prompts'))).toBe(true)
    expect(await call('acme/bye')).toMatchObject({ type: 'result' })
    await vi.waitFor(
      () => expect(catalog.sources.stateOf(connection).refreshedAt).not.toBe(refreshedAt),
      wait,
    )
    await vi.waitFor(() => expect(connection.changes.isUnread).toBe(false), wait)
    expect(connection.readAt).toBe(readAt)
    await catalog.close()
  })
})
