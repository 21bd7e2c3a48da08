import { expect, it } from 'vitest'
import { callTool, openSource, projectPath, toolNamed } from './testkit.ts'

const { execPath } = process

it.each([
  [
    'a program',
    [execPath, projectPath('examples/acme/acme.mjs')],
    'ops logs',
    { release: 'r-2291', seconds: 600 },
  ],
  ['a server', ['mcp:', execPath, projectPath('server/sources/fixtures/mcp-quirks-new.mjs')], 'hang', {}],
] as const)('closing %s ends its running calls, which say so', async (_kind, argument, name, input) => {
  const session = await openSource(argument)
  const running = callTool(session, await toolNamed(session, name), input)
  await new Promise(resolve => setTimeout(resolve, 300))
  const closed = Date.now()
  await session.close()
  expect((await running).ending).toMatchObject({
    type: 'failure',
    reason: 'cancelled',
    message: 'The source was closed while the call ran.',
  })
  expect(Date.now() - closed).toBeLessThan(2_000)
})
