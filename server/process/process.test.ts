import { describe, expect, it } from 'vitest'
import { isRunning, limitNow, until } from '../../scripts/test-processes.ts'
import { aboutTime } from '../testing/about-time.ts'
import { type RunOptions, type RunResult, runProgram, runToEnd } from './process.ts'
import { groupIsAlive } from './process-tree.ts'

const node = process.execPath

function options(more: Partial<RunOptions> = {}): RunOptions {
  return {
    directory: process.cwd(),
    environment: { PATH: process.env.PATH },
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    ...more,
  }
}

const script = (code: string) => ['-e', code]

/** Ignores SIGTERM, and so does its child; prints the process id first. */
const stubborn = `
  process.on('SIGTERM', () => {})
  require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1e3)'], {stdio:'inherit'})
  console.log(process.pid)
  setInterval(() => {}, 1000)`

describe('runProgram', () => {
  it('keeps stdout, stderr and the exit code apart', async () => {
    const result = await runToEnd(
      node,
      script('console.log("out");console.error("err");process.exit(3)'),
      options(),
    )
    expect(result).toMatchObject({
      end: 'exit',
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      validUtf8: true,
    })
  })

  it('passes no argument through a shell', async () => {
    const result = await runToEnd(node, ['-p', 'process.argv[1]', '$(touch x); `id` "&& \n'], options())
    expect(result.stdout).toBe('$(touch x); `id` "&& \n\n')
  })

  it('yields output while the program runs', async () => {
    const seen: string[] = []
    for await (const event of runProgram(
      node,
      script('console.log("first");setTimeout(()=>console.error("second"),200)'),
      options(),
    )) {
      if (event.type !== 'end') seen.push(`${event.type}:${event.text}`)
    }
    expect(seen).toEqual(['stdout:first\n', 'stderr:second\n'])
  })

  it('ends the whole tree after a cancel, even when it ignores SIGTERM', aboutTime, async () => {
    const abort = new AbortController()
    const started = Date.now()
    let pid = 0
    let result: RunResult | undefined
    for await (const event of runProgram(node, script(stubborn), options({ signal: abort.signal }))) {
      if (event.type === 'stdout') {
        pid = Number(event.text)
        abort.abort()
      }
      if (event.type === 'end') result = event.result
    }
    expect(result?.end).toBe('cancelled')
    expect(pid).toBeGreaterThan(0)
    expect(groupIsAlive(pid)).toBe(false)
    expect(Date.now() - started).toBeLessThan(limitNow(6_000))
  })

  it('ends a program at its time limit', async () => {
    const result = await runToEnd(node, script('setInterval(()=>{},1000)'), options({ timeoutMs: 300 }))
    expect(result).toMatchObject({ end: 'timeout', signal: 'SIGTERM' })
  })

  it('keeps the output before the output limit, to the byte', async () => {
    const result = await runToEnd(
      node,
      script(
        'const b="x".repeat(65536);const f=()=>{while(process.stdout.write(b));};process.stdout.on("drain",f);f()',
      ),
      options({ maxOutputBytes: 100_000 }),
    )
    expect(result.end).toBe('too-large')
    expect(result.stdout).toBe('x'.repeat(100_000))
  })

  it('returns although a descendant keeps the pipes open', aboutTime, async () => {
    const code = `require('node:child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e3)'],{stdio:'inherit'});console.log('done');setTimeout(()=>process.exit(0),50)`
    const started = Date.now()
    const result = await runToEnd(node, script(code), options())
    expect(result).toMatchObject({ end: 'exit', exitCode: 0, stdout: 'done\n' })
    expect(Date.now() - started).toBeLessThan(limitNow(5_000))
  })

  it.each([
    ['ended a second later', undefined],
    ['kept where that is wanted', true],
  ])('returns although a process stays in the background, which is %s', async (_what, keepsBackground) => {
    const child = `const c=require('node:child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e3)'],{stdio:'ignore'});console.log(c.pid);c.unref()`
    const { stdout } = await runToEnd(node, script(child), options({ keepsBackground }))
    const pid = Number(stdout)
    expect(isRunning(pid)).toBe(true)
    if (keepsBackground) {
      await new Promise(resolve => setTimeout(resolve, 2_000))
      expect(isRunning(pid)).toBe(true)
      process.kill(pid, 'SIGKILL')
    }
    await until(() => !isRunning(pid))
  })

  it('causes no warning about a leak when many runs share a signal', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error) => warnings.push(warning)
    process.on('warning', listen)
    const shared = options()
    await Promise.all(Array.from({ length: 40 }, () => runToEnd('true', [], shared)))
    await new Promise(setImmediate)
    process.off('warning', listen)
    expect(warnings).toEqual([])
  })

  it('returns the error of the system when a program cannot be started', async () => {
    expect(await runToEnd('/no/such/program', [], options())).toMatchObject({
      end: 'spawn',
      spawnError: { code: 'ENOENT' },
    })
    expect(await runToEnd(node, ['x'.repeat(200_000)], options())).toMatchObject({
      end: 'spawn',
      spawnError: { code: 'E2BIG' },
    })
  })

  it('returns EINVAL for an argument with a null character', async () => {
    expect(await runToEnd(node, ['a\u0000b'], options())).toMatchObject({
      end: 'spawn',
      spawnError: { code: 'EINVAL' },
    })
  })

  it('returns replacement characters for bytes that are not UTF-8, and says so', async () => {
    const result = await runToEnd(
      node,
      script('process.stdout.write(Buffer.from([0x68,0xff,0x69]))'),
      options(),
    )
    expect(result).toMatchObject({ stdout: 'h\uFFFDi', validUtf8: false })
  })

  it('does not start a program when it is already cancelled', async () => {
    expect(await runToEnd(node, script(''), options({ signal: AbortSignal.abort() }))).toMatchObject({
      end: 'cancelled',
      stdoutBytes: 0,
    })
  })
})
