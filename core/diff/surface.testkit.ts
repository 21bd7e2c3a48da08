import { expect, test } from 'vitest'
import { diffManifests } from './diff-manifests.ts'

export const textSchema = { type: 'string' }

/** A server with everything that MCP lets one offer. */
export const server = () => ({
  tools: [
    {
      name: 'greet',
      title: 'Greet',
      description: 'Greets a person.',
      inputSchema: {
        type: 'object',
        properties: { name: textSchema as object, loud: { type: 'boolean' } as object },
        required: ['name'],
      },
      outputSchema: { type: 'object', properties: { text: textSchema as object }, required: ['text'] } as
        | object
        | undefined,
      annotations: { readOnlyHint: true, openWorldHint: false, title: 'Greet' } as Record<string, unknown>,
      extra: { icons: [{ src: 'data:image/png;base64,AA' }] } as Record<string, unknown>,
    },
    {
      name: 'count',
      inputSchema: { type: 'object', properties: { upTo: { type: 'integer', maximum: 9 } as object } },
    },
  ],
  prompts: [
    {
      name: 'review',
      title: 'Review',
      description: 'Reviews a change.',
      arguments: [
        { name: 'file', description: 'Which one', required: true },
        { name: 'style', required: false },
      ],
      extra: { _meta: { team: 'a' } } as Record<string, unknown>,
    },
    { name: 'summary', arguments: [] as { name: string; required?: boolean }[] },
  ],
  resources: [
    {
      uri: 'file:///readme.md',
      name: 'Readme',
      description: 'Read it first.',
      mimeType: 'text/markdown',
      extra: { size: 10 } as Record<string, unknown>,
    },
    { uri: 'db://tables', name: 'Tables' },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'db://tables/{name}/rows{?limit}',
      name: 'Rows',
      description: 'Rows of a table.',
      mimeType: 'application/json',
    },
    { uriTemplate: 'log://{day}', name: 'Log of a day' },
  ],
  instructions: 'Call greet first.' as string | undefined,
  capabilities: {
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
  } as Record<string, unknown>,
  icons: [{ src: 'data:image/png;base64,AAAA' }] as { src: string }[] | undefined,
})
export type TestServer = ReturnType<typeof server>

/** What is done to the server, and the changes that must come out: entry, rule, severity. */
export type ServerEdit = readonly [
  string,
  (server: TestServer) => void,
  ...(readonly [string, string, string])[],
]

export const first = <Item>(list: readonly Item[]): Item => list[0] as Item

/** A test for each edit. */
export function testEdits(edits: readonly ServerEdit[]): void {
  const cases = edits.map(([name, edit, ...expected]) => ({ name, edit, expected }))
  test.each(cases)('finds exactly the changes of this edit: $name', async ({ edit, expected }) => {
    const after = server()
    edit(after)
    const { changes } = await diffManifests(server() as never, after as never)
    expect(changes.map(change => [change.tool ?? '', change.rule, change.severity])).toEqual(expected)
  })
}
