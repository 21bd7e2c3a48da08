import { execFile } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { limitNow } from '../../scripts/test-processes.ts'
import { listenOnce } from '../fetch/network.testkit.ts'
import { bundle } from '../history/bundle.testkit.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { isTimeLimit, listenForAbort, runWithLimit, runWithSignals } from './run-with-limit.ts'

const forever = () => new Promise<never>(() => {})
const reasonOf = (settling: Promise<unknown>) => settling.then(String, (thrown: unknown) => thrown)

it.each<[string, RequestListener]>([
  ['a silent server', () => {}],
  [
    'a body that drips',
    (_request, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    },
  ],
])('run with limit: ends in time while garbage is collected, %s', async (_, listener) => {
  const port = await listenOnce(listener, onTestFinished)
  const program = await bundle('../process/limits.fixture-program.ts')
  const address = `http://127.0.0.1:${port}/`
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, address], {
    timeout: 20_000,
  })
  const { ending, ms } = JSON.parse(stdout)
  expect(ending).toBe('TimeoutError')
  expect(ms).toBeGreaterThanOrEqual(299)
  // A busy machine delays it; without the limit it never ends.
  expect(ms).toBeLessThan(limitNow(5_000))
})

it('run with limit: rejects with TimeoutError even if the work ignores its signal', async () => {
  const thrown = await reasonOf(runWithLimit([], 20, forever))
  expect(thrown).toBeInstanceOf(DOMException)
  expect(isTimeLimit(thrown)).toBe(true)
})

it('run with limit: rejects with the reason of the first signal, also of an aborted one', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const running = reasonOf(runWithLimit([first.signal, second.signal], 60_000, forever))
  second.abort('the second')
  first.abort('the first')
  expect(await running).toBe('the second')
  expect(await reasonOf(runWithLimit([first.signal], 60_000, forever))).toBe('the first')
})

it('run with limit: a limit that no timer accepts is not over at once', async () => {
  const work = () => new Promise(resolve => setTimeout(resolve, 20, 'ended'))
  expect(await runWithLimit([], 2 ** 40, work)).toBe('ended')
})

it('run with signals: settles as the work does, whose signal has the reason', async () => {
  const controller = new AbortController()
  const run = (signals: readonly AbortSignal[]) =>
    runWithSignals(signals, async signal => {
      if (!signal.aborted) await once(signal, 'abort')
      return `ended by ${signal.reason}`
    })
  const running = run([new AbortController().signal, controller.signal])
  controller.abort('the caller')
  expect(await running).toBe('ended by the caller')
  expect(await run([controller.signal])).toBe('ended by the caller')
})

it('run with limit: thousands of calls leave no timer, no listener and no warning', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  const long = new AbortController()
  const timers = () => process.getActiveResourcesInfo().filter(each => each === 'Timeout').length
  const before = timers()
  for (let round = 0; round < 50; round++)
    await Promise.allSettled(
      Array.from({ length: 100 }, (_, at) =>
        runWithLimit([long.signal], 60_000, async () => {
          await Promise.resolve()
          if (at % 2 === 0) throw new Error('failed')
        }),
      ),
    )
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(getEventListeners(long.signal, 'abort')).toEqual([])
  expect(timers()).toBeLessThanOrEqual(before)
  expect(warnings).toEqual([])
})

it('listen for abort: calls once, and not after it stopped listening', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const reasons: unknown[] = []
  const stopListening = listenForAbort([first.signal], reason => reasons.push(reason))
  listenForAbort([first.signal, second.signal], reason => reasons.push(reason))
  stopListening()
  first.abort('the first')
  second.abort('the second')
  expect(reasons).toEqual(['the first'])
})

it('run with limit: no other file of the program combines signals with a time limit', () => {
  const files = ['core', 'server', 'src'].flatMap(folder =>
    readdirSync(resolveInRepository(folder), { recursive: true, encoding: 'utf8' }).map(name =>
      join(folder, name),
    ),
  )
  const code = files.filter(name => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  expect(code.length).toBeGreaterThan(500)
  const combining = code.filter(name => {
    const withoutComments = readFileSync(resolveInRepository(name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    return /AbortSignal\s*\.\s*(?:any|timeout)\b/.test(withoutComments)
  })
  expect(combining).toEqual([])
})
