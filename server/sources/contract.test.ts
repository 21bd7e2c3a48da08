/**
 * What every kind of source promises (source.ts), tried on each with real components: the list is stable; an abort
 * ends a call within a second; errors are AppErrors; nothing throws after the first event; nothing is left behind.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../core/errors.ts'
import { limitNow, until } from '../../scripts/test-processes.ts'
import type { SourceArgument } from '../recognise/detect-source.ts'
import { aboutTime } from '../testing/about-time.ts'
import { isolateTemporaryFolder } from '../testing/temporary-folder.ts'
import { kinds, startComponents, stopComponents } from './contract.testkit.ts'
import type { Session } from './source.ts'
import { callAndWait, neverAborted, openSource, toolNamed } from './testkit.ts'

isolateTemporaryFolder()
beforeAll(startComponents, 60_000)
afterAll(stopComponents)

const opened: Session[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(session => session.close()))
})

async function open(argument: SourceArgument): Promise<Session> {
  const session = await openSource(argument)
  opened.push(session)
  return session
}

for (const kind of kinds)
  describe.skipIf(kind.isAvailable === false)(kind.name, () => {
    const { good, hangs } = kind
    // Most of what is promised is tried on one session: each session starts the component again.
    let shared: Session
    beforeAll(async () => {
      shared = await openSource(kind.argument())
    })
    afterAll(() => shared.close())

    it('gives the same list twice', async () => {
      const first = await shared.manifest(neverAborted())
      expect(first.tools.length).toBeGreaterThan(0)
      expect(await shared.manifest(neverAborted())).toEqual(first)
      expect(shared.label).not.toBe('')
    })

    it('throws an AppError when there is no list', async () => {
      const failing = async () => (await open(kind.broken())).manifest(neverAborted())
      await expect(failing()).rejects.toBeInstanceOf(AppError)
    })

    it('may be closed at any time, and twice', async () => {
      const session = await open(kind.argument())
      const reading = session.manifest(neverAborted()).catch(thrown => thrown)
      await session.close()
      await session.close()
      const outcome = await reading
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
    })

    it.runIf(good)('ends a call with exactly one result', async () => {
      const tool = await toolNamed(shared, good?.tool ?? '')
      const { events, ending } = await callAndWait(shared, tool, good?.input)
      expect(ending.type).toBe('result')
      expect(events.filter(event => event.type === 'result' || event.type === 'failure')).toHaveLength(1)
    })

    it.runIf(hangs)(
      'ends a call within a second of an abort, and can be called again',
      aboutTime,
      async () => {
        const tool = await toolNamed(shared, hangs?.tool ?? '')
        const abort = new AbortController()
        const running = callAndWait(shared, tool, hangs?.input, { signal: abort.signal })
        await new Promise(resolve => setTimeout(resolve, 300))
        const aborted = Date.now()
        abort.abort()
        expect((await running).ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
        expect(Date.now() - aborted).toBeLessThan(limitNow(1_000))
        const next = await callAndWait(shared, await toolNamed(shared, good?.tool ?? ''), good?.input)
        expect(next.ending.type).toBe('result')
      },
    )

    it.runIf(good)(
      'fails without a throw when the tool is missing or the call is cancelled, and ends a call when closed',
      async () => {
        const tool = await toolNamed(shared, good?.tool ?? '')
        const missing = await callAndWait(shared, { ...tool, name: 'no-such-tool-here' }, {})
        expect(missing.ending.type).toBe('failure')
        const cancelled = await callAndWait(shared, tool, good?.input, { signal: AbortSignal.abort() })
        expect(cancelled.ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
        await shared.close()
        const closed = await callAndWait(shared, tool, good?.input, { timeoutMs: 2_000 })
        expect(['result', 'failure']).toContain(closed.ending.type)
      },
    )

    it('leaves no process and no temporary file', aboutTime, async () => {
      await shared.close()
      const before = descendants()
      const session = await openSource(kind.argument())
      await session.manifest(neverAborted())
      if (good) await callAndWait(session, await toolNamed(session, good.tool), good.input)
      const abort = new AbortController()
      const { signal } = abort
      const hanging =
        hangs && callAndWait(session, await toolNamed(session, hangs.tool), hangs.input, { signal })
      const closing = Date.now()
      abort.abort()
      await session.close()
      await hanging
      expect(Date.now() - closing).toBeLessThan(limitNow(2_000))
      await until(() => descendants() <= before)
      expect(readdirSync(tmpdir())).toEqual([])
    })
  })

/** Running processes below this one, `ps` itself left out. */
function descendants(): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(row => row.trim().split(/\s+/))
  const below = new Set([String(process.pid)])
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid = '', parent = '', state = '', name] of rows) {
      if (below.has(pid) || !below.has(parent) || state.startsWith('Z') || name === 'ps') continue
      below.add(pid)
      grown = true
    }
  }
  return below.size - 1
}
