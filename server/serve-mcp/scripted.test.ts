/** `toolscope mcp --scripted`, asked by the SDK's clients of both lines. */
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveInRepository } from '../sources/testkit.ts'

const words = [
  resolveInRepository('dist/server/main.js'),
  'mcp',
  '--scripted',
  resolveInRepository('examples/acme/acme.mjs'),
  resolveInRepository('examples/functions'),
]
const env = { PATH: process.env.PATH ?? '', LLM_MCP_NEED_CONFIRM: '^clear_.*' }
const stdio = { command: process.execPath, args: words, stderr: 'ignore' as const, env }

interface Answer {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: { readonly [key: string]: unknown }
  readonly isError?: boolean
}
interface AnyClient {
  listTools(): Promise<{
    tools: { name: string; description?: string | undefined; inputSchema: unknown }[]
  }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

async function newClient(): Promise<AnyClient> {
  const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new NewStdio(stdio))
  return client as AnyClient
}

async function oldClient(): Promise<AnyClient> {
  const client = new OldClient({ name: 'test', version: '1' })
  // The old SDK's own types do not agree with exactOptionalPropertyTypes.
  await client.connect(new OldStdio(stdio))
  return client as unknown as AnyClient
}

describe.each([
  ['the new client', newClient],
  ['the old client', oldClient],
])('toolscope mcp --scripted with %s', (_name, connect) => {
  let client: AnyClient
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  const call = async (input: Record<string, unknown>) =>
    (await client.callTool({ name: 'run_script', arguments: input })) as Answer

  it('lists one tool that describes all commands', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toEqual(['run_script'])
    const { description = '' } = tools[0] ?? {}
    expect(description).toMatch(
      /^toolscope: run bash scripts that orchestrate registered tool commands\. Commands: /,
    )
    expect(description).toContain('api_greet (Greet someone politely)')
    expect(description).toContain('garden_water_bed (')
  })

  it('runs a script with tools of two sources', async () => {
    const answer = await call({
      script: `km=$(convert_units --amount 3 --from km --to m | jq .amount)\napi_greet --name "runner of $km" | jq -r .greeting`,
    })
    expect(answer.structuredContent).toMatchObject({ exitCode: 0, ending: 'finished', stderr: '' })
    expect(answer.content[0]?.text).toContain('runner of 3000')
    expect(answer.structuredContent?.calls).toMatchObject([
      { command: 'convert_units', status: 'result' },
      { command: 'api_greet', status: 'result' },
    ])
  })

  it('answers help and discover', async () => {
    expect((await call({ help: 'api_greet' })).content[0]?.text).toContain('Usage: api_greet --name <string>')
    expect((await call({ discover: 'GREET' })).content[0]?.text).toMatch(/^api_greet/)
    expect(await call({ help: 'nope' })).toMatchObject({ isError: true })
    expect(await call({ help: 'x', script: 'y' })).toMatchObject({ isError: true })
  })

  it('reports what failed, and refuses a tool that needs a confirmation', async () => {
    const answer = await call({ script: 'api_greet; garden_clear_garden; exit 3' })
    expect(answer).toMatchObject({ isError: true, structuredContent: { exitCode: 3 } })
    expect(answer.structuredContent?.stderr).toContain("required property 'name' is missing")
    expect(answer.structuredContent?.stderr).toContain('it needs a confirmation')
  })

  it('answers later calls after a hostile script', async () => {
    const hostile = await call({ script: 'cat /etc/passwd; :(){ :|:& };:' })
    expect(hostile.isError).toBe(true)
    expect(JSON.stringify(hostile)).not.toContain('root:')
    expect((await call({ script: 'echo still here' })).content[0]?.text).toContain('still here')
  })
})
