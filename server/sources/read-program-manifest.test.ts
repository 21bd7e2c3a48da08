import { describe, expect, it } from 'vitest'
import { AppError } from '../../core/errors.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { llmsProgram } from './llms-program.ts'
import { neverAborted, openFixture, openSource, resolveInRepository, testContext } from './testkit.ts'

const acme = resolveInRepository('examples/acme/acme.mjs')
const list = async (...words: string[]) =>
  (await openSource([process.execPath, acme, ...words])).manifest(neverAborted())
const namesOf = (manifest: { tools: readonly { name: string }[] }) => manifest.tools.map(tool => tool.name)

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${error}`)
  return error
}

describe('manifest of a --llms program', () => {
  it('has absolute names at the root, and the calling convention besides the tools', async () => {
    const manifest = await list()
    expect(namesOf(manifest)).toContain('api greet')
    expect(namesOf(manifest)).not.toContain('help')
    expect(manifest.callingConvention).toMatch(/^Documentation tool, not callable\./)
  })

  it('has relative names below a sub-program, and the last segment at a leaf', async () => {
    expect(namesOf(await list('api'))).toContain('greet')
    expect(namesOf(await list('api', 'greet'))).toEqual(['greet'])
  })

  it('contains a tool named help besides the documentation', async () => {
    const manifest = await (await openFixture('second-help')).manifest(neverAborted())
    expect(namesOf(manifest)).toEqual(['help'])
    expect(manifest.callingConvention).toBeDefined()
  })

  it('is read with the configured flag', async () => {
    const command = [process.execPath, resolveInRepository('server/sources/fixtures/custom-flags.mjs')]
    const config = { command, flags: { manifest: '--describe', input: '--input-json' } }
    const session = await llmsProgram.open(config, { name: 'custom' }, testContext)
    expect(namesOf(await session.manifest(neverAborted()))).toEqual(['echo'])
  })

  it('fails at the time limit with the time and a hint', async () => {
    const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)', 'x']
    const session = await llmsProgram.open({ command }, { name: 'slow', listTimeoutMs: 400 }, testContext)
    const error = await failure(session.manifest(neverAborted()))
    expect(error.code).toBe('source-timeout')
    expect(error.detail).toContain('did not answer within 0.4 s (ended by Toolscope)')
    expect(error.toShape().hint).toContain('"listTimeoutMs"')
  })

  it('fails because of a date with an explanation and the parts to read instead', async () => {
    const error = await failure((await openFixture('date-broken')).manifest(neverAborted()))
    expect(error.code).toBe('manifest-unrepresentable')
    expect(error.detail).toContain('Date cannot be represented in JSON Schema')
    expect(error.toShape().hint).toContain('z.iso.datetime()')
    expect(error.toShape().hint).toContain('"subprograms": ["api","days"]')
  })

  it('is read from the named parts, with a problem for each part that fails', async () => {
    const command = [process.execPath, resolveInRepository('server/sources/fixtures/date-broken.mjs')]
    for (const [part, name] of [
      ['api', 'api greet'],
      ['api greet', 'api greet'],
    ] as const) {
      const config = { command, subprograms: [part, 'days'] }
      const session = await llmsProgram.open(config, { name: 'calendar' }, testContext)
      const manifest = await session.manifest(neverAborted())
      expect(namesOf(manifest)).toEqual([name])
      expect(manifest.problems.find(problem => problem.name === 'days')?.message).toContain('Date cannot be')
    }
  })

  it('is found among other text, which becomes a problem of the source', async () => {
    const manifest = await (await openFixture('banner')).manifest(neverAborted())
    expect(namesOf(manifest)).toEqual(['greet'])
    expect(manifest.problems).toEqual([
      {
        message: expect.stringMatching(
          /^The program printed other text around its list: "Banner CLI v1 \{beta\}/,
        ),
        hint: expect.stringContaining('stderr'),
      },
    ])
  })

  it('is read although the program exits 3, which becomes a problem of the source', async () => {
    const manifest = await (await openFixture('banner', '--exit', '3')).manifest(neverAborted())
    expect(namesOf(manifest)).toEqual(['greet'])
    expect(manifest.problems[0]?.message).toContain('ended with exit code 3')
  })

  it('is not read from text that only resembles one', async () => {
    const error = await failure((await openFixture('banner', '--no-list')).manifest(neverAborted()))
    expect(error.code).toBe('manifest-not-json')
    const broken = await failure(
      (await openFixture('banner', '--no-list', '--exit', '3')).manifest(neverAborted()),
    )
    expect(broken).toMatchObject({ code: 'source-failed', detail: expect.stringContaining('exit code 3') })
  })

  it('fails for an MCP server with a hint to configure it as "mcp"', async () => {
    const server = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    const config = { command: [process.execPath, server] }
    const session = await llmsProgram.open(config, { name: 'everything' }, testContext)
    const error = await failure(session.manifest(neverAborted()))
    expect(error.toShape().hint).toContain('{"mcp": {"command": […]}}')
  })

  it('fails for other output and shows it', async () => {
    const error = await failure((await openFixture('prints-html')).manifest(neverAborted()))
    expect(error.code).toBe('manifest-not-json')
    expect(`${error.detail} ${error.output}`).toContain('<')
  })

  it('fails with the stderr of a part that does not accept the flag', async () => {
    const error = await failure((await openFixture('flags-off', 'unlisted')).manifest(neverAborted()))
    expect(error.code).toBe('source-failed')
    expect(error.output).toContain("error: unknown option '--llms'")
  })

  it('fails when it has 200 MB', async () => {
    // As an entry of a file, because a typed command has less time.
    const command = [process.execPath, resolveInRepository('server/sources/fixtures/huge-manifest.mjs')]
    const session = await configuredSource({ command }, { name: 'huge' }, {}).open(testContext)
    const error = await failure(session.manifest(neverAborted()))
    expect(error.code).toBe('source-failed')
    expect(error.detail).toContain('more than 128 MiB')
  })

  it('may have 50,000 tools, broken bytes, hostile names and broken entries', async () => {
    const sizes = await Promise.all(
      ['many-tools', 'invalid-utf8', 'hostile-names', 'bad-entries'].map(async name => {
        const manifest = await (await openFixture(name)).manifest(neverAborted())
        return [manifest.tools.length, manifest.problems.length]
      }),
    )
    expect(sizes[0]?.[0]).toBe(50_000)
    expect(sizes[1]?.[0]).toBeGreaterThan(0)
    expect(sizes[2]?.[0]).toBeGreaterThan(20)
    // Seven good entries and two whose schema alone is broken; every broken one is named.
    expect(sizes[3]).toEqual([9, 6])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('fails when reading it is cancelled', async () => {
    const session = await openFixture('slow-manifest')
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 300)
    expect((await failure(session.manifest(abort.signal))).code).toBe('source-failed')
  })
})

describe('openSource', () => {
  it('says where it looked for a missing program', async () => {
    expect((await failure(openSource('./no/such.mjs'))).detail).toContain(resolveInRepository('no/such.mjs'))
    expect((await failure(openSource('no-such-program-here'))).detail).toContain('on PATH')
  })

  it('refuses a directory', async () => {
    expect((await failure(openSource('docs'))).code).toBe('source-unrecognised')
  })

  it('opens typed text of several words, or a script without its interpreter', async () => {
    for (const typed of ['node examples/acme/acme.mjs api', 'examples/acme/acme.mjs']) {
      const manifest = await (await openSource(typed)).manifest(neverAborted())
      expect(manifest.tools.length).toBeGreaterThan(0)
    }
  })
})
