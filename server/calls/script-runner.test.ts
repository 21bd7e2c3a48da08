import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { replaceableCommands, reservedCommands } from '../../core/prompt/tool-commands.ts'
import { joinOutput, type ScriptLimits } from '../../core/script/protocol.ts'
import { findDestructive, scriptToolCommands } from '../../core/script/script-tools.ts'
import type { ScriptEnd, ScriptEvent, TraceEntry } from '../../core/script/trace.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import { Catalog } from '../catalog/catalog.ts'
import { detectSources } from '../recognise/detect-source.ts'
import { aboutTime } from '../testing/about-time.ts'
import { startValidator } from '../workers/validator.ts'
import { createCaller } from './call.ts'
import { runCatalogScript } from './script-runner.ts'

const context = {
  directory: process.cwd(),
  environment: { ...process.env, LLM_MCP_NEED_CONFIRM: '^clear_.*' },
}
const catalog = new Catalog(context)
const validator = startValidator()
const call = createCaller({ tools: catalog, validator, pins: null })

beforeAll(async () => {
  for (const source of [['node', 'examples/acme/acme.mjs'], 'examples/functions'])
    for (const spec of await detectSources(source, context)) await catalog.sources.open(spec)
})

afterAll(async () => {
  await validator.close()
  await catalog.close()
})

interface Ran {
  readonly end: ScriptEnd
  readonly stdout: string
  readonly stderr: string
  readonly drafts: string
  readonly trace: readonly TraceEntry[]
}

interface Options {
  readonly limits?: Partial<ScriptLimits>
  readonly confirmed?: ReadonlySet<string> | 'all'
  /** Cancels after so many milliseconds, or at the first call. */
  readonly cancel?: number | 'at-call'
}

async function run(script: string, { limits, confirmed = new Set(), cancel }: Options = {}): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  let drafts = ''
  const trace = new Map<number, TraceEntry>()
  let stop = () => {}
  const running = await runCatalogScript({
    script,
    call,
    names: scriptToolCommands(catalog.tools.list()),
    validator,
    confirmed,
    ...(limits ? { limits } : {}),
    onEvent: (event: ScriptEvent) => {
      if (event.type === 'draft') drafts += event.text
      if (event.type === 'output') written[event.stream] = joinOutput(written[event.stream], event.text)
      if (event.type === 'trace') trace.set(event.entry.id, event.entry)
      if (event.type === 'trace' && cancel === 'at-call') setTimeout(stop, 300)
    },
  })
  stop = running.cancel
  if (typeof cancel === 'number') setTimeout(stop, cancel)
  return { end: await running.ended, ...written, drafts, trace: [...trace.values()] }
}

describe('script runner with real tools', () => {
  it('calls tools by flags and pipes their results', async () => {
    const { stdout, stderr, end, trace } = await run(`
      greeting=$(api_greet --name Ada | jq -r .greeting)
      echo "$greeting" | tr a-z A-Z
      for region in eu-west us-east; do ops_status --region $region | jq -c .; done | head -1 >/dev/null
    `)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^GOOD DAY, ADA/)
    expect(end).toMatchObject({ ending: 'finished', exitCode: 0 })
    expect(trace[0]).toMatchObject({
      id: 1,
      command: 'api_greet',
      ref: 'acme/api greet',
      input: '{"name":"Ada"}',
      status: 'result',
      verdict: 'valid',
      exitCode: 0,
    })
    expect(trace).toHaveLength(3)
    const [first, second] = trace
    expect(second?.startMs).toBeGreaterThan((first?.startMs ?? 0) + (first?.durationMs ?? 0) - 1)
  })

  it('has no program that a renamed tool may replace', async () => {
    const { stdout } = await run('compgen -c')
    const own = new Set(scriptToolCommands(catalog.tools.list()).entries.map(({ command }) => command))
    const programs = stdout.split('\n').filter(name => /^[a-z]/.test(name) && !own.has(name))
    expect(programs.length).toBeGreaterThan(100)
    expect(programs.filter(name => !reservedCommands.has(name) && !replaceableCommands.has(name))).toEqual([])
  })

  it('answers help, --help and discover like the seed system', async () => {
    const { stdout, stderr } = await run(`
      help api_greet --json | jq -r .name
      api_greet --help | tail -1
      discover --search GREET
      help nope || echo "code $?"
    `)
    expect(stdout).toMatch(/^api_greet\nUsage: api_greet --name <string>/)
    expect(stdout).toContain('api_greet            ')
    expect(stdout).toMatch(/code 1\n$/)
    expect(stderr).toMatch(/^help: unknown tool: nope/)
  })

  it('prints each error after an unknown command on its own line', async () => {
    const { stderr } = await run('api_gret\napi_greet\nno-such-program-at-all; (no-such-program-at-all)')
    expect(stderr).toMatch(
      /^bash: api_gret: command not found\. Did you mean: [^?\n]*\?\napi_greet: schema error: .*\nbash: no-such-program-at-all: command not found\nbash: no-such-program-at-all: command not found$/,
    )
    const late = await run('for i in 1 2; do no-such-program-at-all; done | cat; api_greet || echo "$?"')
    expect(late.stderr).toMatch(
      /^(?:bash: no-such-program-at-all: command not found\n){2}api_greet: schema error/,
    )
  })

  it('reports a missing property in the words of the seed system', async () => {
    const { stdout, stderr, trace } = await run('api_greet; echo $?')
    expect(stderr).toBe("api_greet: schema error: required property 'name' is missing\n")
    expect(stdout).toBe('2\n')
    expect(trace).toMatchObject([{ status: 'refused', exitCode: 2 }])
  })

  it('validates input in a dry run and calls nothing', async () => {
    const { stdout, trace } = await run(`
      api_greet --dry-run --name Ada
      api_deploy --dry-run --build nonsense --environment moon || echo "code $?"
    `)
    const [good = '', bad = '', code] = stdout.trim().split('\n')
    expect(good).toBe('{"dry_run":true,"params":{"name":"Ada"},"tool":"api_greet","valid":true}')
    expect(JSON.parse(bad)).toMatchObject({ dry_run: true, tool: 'api_deploy', valid: false })
    expect(JSON.parse(bad).errors.length).toBeGreaterThan(1)
    expect(code).toBe('code 2')
    expect(trace.map(entry => entry.status)).toEqual(['dry-run', 'dry-run'])
  })

  it('lets || handle a tool that fails', async () => {
    const { stdout, stderr, end, trace } = await run(
      'ops_rollback --release r-9999 --reason "errors doubled after it" || echo "handled $?"',
    )
    expect(stdout).toBe('handled 1\n')
    expect(stderr).toMatch(/^ops_rollback: /)
    expect(end.exitCode).toBe(0)
    expect(trace).toMatchObject([{ status: 'failure', exitCode: 1 }])
  })

  it('stops at the first failure under set -e, with its exit code', async () => {
    const { stdout, end } = await run('set -e; api_greet; echo never')
    expect(stdout).toBe('')
    expect(end).toMatchObject({ ending: 'finished', exitCode: 2 })
  })

  it('streams output that is final as it comes, and gives the rest at the end', async () => {
    const certain = await run('echo a; api_greet --name Ada | jq -r .greeting')
    expect(certain.drafts).toBe('')
    const uncertain = await run(
      'for i in 1 2; do echo $i; done | tr 12 xy; f() { echo q; }; x=$(f); echo "[$x]"',
    )
    expect(uncertain.drafts).not.toBe('')
    expect(uncertain.stdout).toBe('x\ny\n[q]\n')
    const ended = await run('for i in 1 2; do echo $i; done | cat; while true; do echo z > /dev/null; done')
    expect(ended.end.ending).toBe('limit')
    expect(ended.stdout).toContain('1\n2\n')
  })

  it('returns the exit code of the command that ends the script', async () => {
    expect((await run('api_greet')).end.exitCode).toBe(2)
    expect((await run('api_greet; true')).end.exitCode).toBe(0)
    expect((await run('api_greet; echo over; false')).end.exitCode).toBe(1)
    expect((await run('exit 7')).end.exitCode).toBe(7)
  })

  it('refuses a tool that needs a confirmation, even when its name is in a variable', async () => {
    const script = 'x=garden_clear; $' + '{x}_garden; echo "code $?"'
    const refused = await run(script)
    expect(refused.stdout).toBe('code 126\n')
    expect(refused.stderr).toContain('it needs a confirmation')
    const [entry] = refused.trace
    expect(entry).toMatchObject({ command: 'garden_clear_garden', status: 'refused', exitCode: 126 })
    const { entries } = scriptToolCommands(catalog.tools.list())
    expect(findDestructive(script, entries)).toEqual([])
    expect(findDestructive('true && garden_clear_garden | cat', entries)).toHaveLength(1)
  })

  it('cancels a call that the script no longer waits for, and continues', async () => {
    const { stdout, trace } = await run(
      'timeout 1 ops_logs --release r-2291 --seconds 30; echo "code $?"; api_greet --name Ada | jq -r .greeting',
    )
    expect(stdout).toMatch(/^code 124\n.*Ada/)
    expect(trace.map(entry => entry.status)).toEqual(['cancelled', 'result'])
  })

  it('cancels a script at once in the middle of a call', aboutTime, async () => {
    const { end, trace, stdout } = await run(
      'echo begin; ops_logs --release r-2291 --seconds 30; echo never',
      {
        cancel: 'at-call',
      },
    )
    expect(stdout).toBe('begin\n')
    expect(end).toMatchObject({ ending: 'cancelled', exitCode: 130 })
    const [call] = trace
    expect(call).toMatchObject({ status: 'cancelled' })
    expect(call?.durationMs).toBeLessThan(limitNow(2_000))
  })

  it('cancels a script in an endless jq loop', async () => {
    const { end } = await run(`jq -n 'def f: f; f'`, { cancel: 800 })
    expect(end.ending).toBe('cancelled')
    expect(end.durationMs).toBeLessThan(limitNow(3_000))
  })
})

describe('script runner limits', () => {
  it.each([
    ['an endless loop', 'echo before; while true; do :; done'],
    ['too many commands', 'for i in $(seq 1 9000); do echo $i; echo $i; echo $i; done'],
    ['a fork bomb', ':(){ :|:& };:'],
    ['a function without end', 'f(){ f; }; f'],
    ['a range without end', 'echo {1..100000000}'],
  ])('end %s', async (_name, script) => {
    const { end } = await run(script)
    expect(['limit', 'broken']).toContain(end.ending)
    expect([124, 125]).toContain(end.exitCode)
    expect(end.message).toBeTruthy()
  })

  it.each([
    ['time', `jq -n 'def f: f; f'`, { timeMs: 1_500 }],
    ['time, in a call', 'ops_logs --release r-2291 --seconds 30', { timeMs: 1_500 }],
    ['calls', 'for i in 1 2 3 4; do api_greet --dry-run --name $i; done', { calls: 2 }],
  ] as const)('end a script that exceeds its limit of %s', aboutTime, async (_name, script, limits) => {
    const { end } = await run(script, { limits })
    expect(end).toMatchObject({ ending: 'limit', exitCode: 124 })
    expect(end.durationMs).toBeLessThan(limitNow(6_000))
  })

  it('end a script that takes too much memory', async () => {
    const before = process.memoryUsage().rss
    const { end } = await run(`jq -n '[range(1000000000)] | length'`, { limits: { timeMs: 30_000 } })
    expect(end.ending).not.toBe('finished')
    expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000)
  })

  it('cut output off at its limit and say so once', async () => {
    const { stdout, stderr, end } = await run('seq 1 60000; echo done', { limits: { output: 10_000 } })
    expect(stdout).toHaveLength(10_000)
    expect(stderr).toContain('stdout was cut off')
    expect(stderr.match(/cut off/g)).toHaveLength(1)
    expect(end.ending).toBe('finished')
  })

  it('cut off output that follows exactly as much as is allowed, and say so', async () => {
    const { stdout, stderr, end } = await run('printf 12345; printf 67890; printf x', {
      limits: { output: 10 },
    })
    expect(stdout).toBe('1234567890')
    expect(stderr).toContain('stdout was cut off')
    expect(end.ending).toBe('finished')
  })

  it('end a script whose nesting breaks the engine', async () => {
    const deep = `echo ${'$('.repeat(500)}echo 1${')'.repeat(500)}`
    const { end } = await run(deep)
    expect(end.ending).not.toBe('finished')
  })

  it('report bad syntax with its line', async () => {
    const { end } = await run('echo a\nif then')
    expect(end).toMatchObject({ ending: 'syntax', exitCode: 2 })
    expect(end.message).toContain('line 2')
  })
})

describe('script runner with a hostile script', () => {
  it('shows it nothing of the host', async () => {
    vi.stubEnv('SCRIPT_TEST_SECRET', 'do-not-show')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { stdout, stderr } = await run(`
      cat /etc/passwd; cat /proc/self/environ; ls ${process.cwd()}; cat package.json; env; printenv
      echo "$SCRIPT_TEST_SECRET"; whoami; hostname
    `)
    for (const found of ['root:', 'do-not-show', 'toolscope"', 'vite.config'])
      expect(stdout + stderr).not.toContain(found)
  })

  it('gives it no network and no files of the host', async () => {
    const { stdout } = await run(`
      curl -s http://127.0.0.1:1/ && echo reached; wget -q http://127.0.0.1:1/ && echo reached
      (echo hi > /dev/tcp/127.0.0.1/80) && echo reached
      nc 127.0.0.1 80 && echo reached; ssh localhost && echo reached; python3 -c 1 && echo reached; node -e 1 && echo reached
      mkdir -p ${process.cwd()} && echo x > ${process.cwd()}/written-by-script.txt && cat ${process.cwd()}/written-by-script.txt
    `)
    expect(stdout).toBe('x\n')
    const { existsSync } = await import('node:fs')
    expect(existsSync('written-by-script.txt')).toBe(false)
  })

  it('ends its slow patterns and its endless awk loop in time', aboutTime, async () => {
    const { stdout, end } = await run(`
      echo ${'a'.repeat(60)}! | grep -E '^(a+)+$'; echo $?
      jq -n '("a" * 60 + "!") | test("^(a+)+$")'
      awk 'BEGIN { while (1) {} }'; echo over
    `)
    expect(stdout).toBe('1\nfalse\nover\n')
    expect(end.durationMs).toBeLessThan(limitNow(10_000))
  })
})
