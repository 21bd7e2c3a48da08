/** Programs of npm: what they list by their own client, and what Toolscope lists of them. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type Compare, type Row, RowBuilder } from './row.ts'
import { listOf, withSource } from './sources.ts'

const modules = (path: string) => resolve('node_modules', path)

const servers: Readonly<Record<string, readonly string[]>> = {
  'mcp-llm-functions': [modules('mcp-llm-functions/index.js'), resolve('examples/functions')],
  'server-everything': [modules('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  'server-memory': [modules('@modelcontextprotocol/server-memory/dist/index.js')],
  'server-filesystem': [
    modules('@modelcontextprotocol/server-filesystem/dist/index.js'),
    resolve('examples'),
  ],
}

export const comparePackages: Compare = async () => {
  const rows: Row[] = []
  for (const [name, words] of Object.entries(servers)) {
    const row = new RowBuilder()
    const isInstalled = existsSync(words[0] ?? '')
    if (isInstalled) {
      const theirs = await listByClient(words)
      const ours = await withSource(['mcp:', process.execPath, ...words], async (_session, tools) =>
        listOf(tools),
      )
      for (const [index, tool] of theirs.entries()) row.compare(tool.name, ours[index], tool)
      row.compare('number of tools', ours.length, theirs.length)
    }
    rows.push(row.finish(name, 'its list by the SDK’s own client', isInstalled ? undefined : 'not installed'))
  }
  return rows
}

async function listByClient(words: readonly string[]) {
  // A server may list other tools to a client that it cannot ask back.
  const capabilities = { elicitation: { form: {}, url: {} } }
  const client = new Client({ name: 'originals', version: '0' }, { capabilities })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...words], stderr: 'ignore' }),
  )
  try {
    return listOf((await client.listTools()).tools)
  } finally {
    await client.close()
  }
}
