/** A secret in the set-up of a source is shown nowhere: not in its state, its log, its errors or a failed call. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { awaitEnding } from '../../core/tool/outcome.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { configuredSource, detectSource, mcpSource } from '../recognise/detect-source.ts'
import { startValidator } from '../workers/validator.ts'
import type { SourceSpec } from './source.ts'
import { neverAborted, resolveInRepository, testContext } from './testkit.ts'

const secret = 'Zq7-hush/hush'
const node = process.execPath
const fixture = (name: string) => resolveInRepository(`server/sources/fixtures/${name}.mjs`)
/** Says all it was given on stderr, and ends. */
const tattle =
  'console.error(process.argv.join(" "), JSON.stringify(process.env)); console.log("x"); process.exit(3)'

/** In two parts, so that nobody takes it for a template of ours. */
const hush = `$${'{env:HUSH}'}`

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function opened(spec: SourceSpec, environment = testContext.environment): Promise<Catalog> {
  const catalog = new Catalog({ ...testContext, environment })
  ends.push(() => catalog.close())
  await catalog.sources.open(spec)
  return catalog
}

function expectSilence(catalog: Catalog): void {
  for (const source of catalog.sources.list())
    expect(
      `${JSON.stringify(source)} ${JSON.stringify(catalog.sources.get(source.name).logLines())}`,
    ).not.toContain(secret)
}

const args: readonly (readonly string[])[] = [
  [`--api-key=${secret}`],
  ['--token', secret],
  ['--header', `Authorization: Bearer ${secret}`],
  [`https://ada:${secret.replace('/', '')}@example.test/x`, '--client-secret', secret],
  [`https://example.test/x?api_key=${secret}`],
]

describe.each(args)('secret in %s', (...words) => {
  it('is masked in what an MCP server shows, when it fails and when it runs', async () => {
    const failing = await opened(
      await detectSource(['mcp:', node, '-e', tattle, '--', ...words], testContext),
    )
    expect(failing.sources.list()).toMatchObject([
      { status: 'failed', error: { output: expect.stringContaining('•••') } },
    ])
    expectSilence(failing)
    const running = await opened(
      await detectSource(['mcp:', node, fixture('mcp-quirks-old'), ...words], testContext),
    )
    expect(running.sources.list()).toMatchObject([
      { status: 'ready', name: 'mcp-quirks-old', label: expect.stringContaining('•••') },
    ])
    expectSilence(running)
  })

  it('is masked in the state, log and errors of a program', async () => {
    const failing = await opened(await detectSource([node, '-e', tattle, '--', ...words], testContext))
    expect(failing.sources.list()).toMatchObject([{ status: 'failed' }])
    expectSilence(failing)
  })
})

it('secret of a source: is not used in its name', async () => {
  const { settings } = await detectSource(['mcp:', 'npx', '--token', secret, 'some-server'], testContext)
  expect(settings.name).toBe('some-server')
})

it('secret of a source: is masked when it comes from an environment or a variable', async () => {
  const catalog = await opened(
    mcpSource({
      name: 'tattle',
      config: {
        command: [node, '-e', tattle, '--', '--key', hush],
        env: { API_TOKEN: hush },
      },
      directory: testContext.directory,
      prefix: true,
      disabled: false,
    }),
    { ...testContext.environment, HUSH: secret },
  )
  expect(catalog.sources.list()).toMatchObject([
    { status: 'failed', error: { output: expect.stringContaining('•••') } },
  ])
  expectSilence(catalog)
  const settings = { name: 'program', environment: { API_TOKEN: secret } }
  const program = await opened(configuredSource({ command: [node, '-e', tattle] }, settings, {}))
  expect(program.sources.list()).toMatchObject([{ status: 'failed' }])
  expectSilence(program)
})

it('secret of a source: is masked in headers that the server repeats', async () => {
  const server = createServer((request, answer) => {
    answer.writeHead(500, { 'content-type': 'text/plain' })
    answer.end(`${request.url} ${JSON.stringify(request.headers)}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const mcp = {
    url: `http://127.0.0.1:${port}/mcp?access_token=${secret}`,
    headers: { Authorization: `Bearer ${secret}`, 'X-Api-Key': secret },
  }
  const catalog = await opened(configuredSource({ mcp }, { name: 'loud' }, {}))
  expect(catalog.sources.list()).toMatchObject([{ status: 'failed' }])
  expectSilence(catalog)
})

it('secret of a source: is masked in a failed call, but not in a result', async () => {
  const ask = (catalog: Catalog, ref: string, value: object) => {
    const call = createCaller({ tools: catalog, validator: startValidator(), pins: null })
    const input = { text: JSON.stringify(value), value }
    const options = { withoutVerdicts: true }
    return awaitEnding(call({ ref, input, origin: 'page', options, signal: neverAborted() }))
  }
  const program = await opened(
    await detectSource([node, resolveInRepository('examples/acme/acme.mjs')], testContext),
  )
  expect(await ask(program, 'acme/api greet', { name: `token=${secret}` })).toMatchObject({ type: 'result' })
  const quirks = await opened(
    await detectSource(['mcp:', node, fixture('mcp-quirks-old'), '--token', secret], testContext),
  )
  const crash = await ask(quirks, 'mcp-quirks-old/crash', {})
  expect(crash.type).toBe('failure')
  expect(JSON.stringify(crash)).not.toContain(secret)
  const echo = await ask(quirks, 'mcp-quirks-old/echo', { message: secret })
  expect(JSON.stringify(echo)).toContain(secret)
})
