/** Renames with the same content: the new name may belong to something else, and rules may go by the approved one. */
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect } from 'vitest'
import { scriptToolCommands } from '../../core/script/script-tools.ts'
import { createCaller } from '../calls/call.ts'
import { bridgeTools } from '../http/bridge-app.ts'
import { Emitter } from '../process/events.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import type { SourceNotification } from '../serve-mcp/pass-notifications.ts'
import { scriptedFactory } from '../serve-mcp/scripted-factory.ts'
import { servedTools } from '../serve-mcp/served-tools.ts'
import { test } from '../testing/folder-test.ts'
import { startValidator } from '../workers/validator.ts'
import { approvePin, reviewPin } from './approve-pin.ts'
import { bye, changingServer, greet, openPinned, poisoned, serverSpec } from './testkit.ts'

const refused = { type: 'failure', reason: 'not-approved' }
const ran = { type: 'result' }

describe('names of tools for the bridge', () => {
  test('names of tools for the bridge: none is that of another source, with a prefix or without', async ({
    folder,
  }) => {
    const { catalog, change, write } = await openPinned(folder)
    await change({ tools: [bye, { ...greet, name: 'other_greet' }, greet, { ...greet, name: 'Greet' }] })
    await catalog.sources.open(serverSpec(folder, 'other', 'other.json'))
    const namesOf = (unprefixed: string[]) => {
      const { list } = bridgeTools(catalog, new Set(unprefixed))()
      return list.map(({ name, tool }) => `${name} ${tool.source}`)
    }
    // Whether the other source lists it or not.
    for (const tools of [[], [greet]]) {
      write({ tools }, 'other.json')
      await catalog.sources.refresh('other')
      expect(namesOf(['acme']).slice(0, 4)).toEqual([
        'bye acme',
        'acme_other_greet acme',
        'greet acme',
        'greet_2 acme',
      ])
    }
    expect(namesOf(['acme'])[4]).toBe('other_greet other')
    write({ tools: [{ ...greet, name: 'greet_2' }] }, 'other.json')
    await catalog.sources.refresh('other')
    expect(namesOf(['acme', 'other'])).toEqual([
      'bye acme',
      'acme_other_greet acme',
      'acme_greet acme',
      'acme_greet_2 acme',
      'other_greet_2 other',
    ])
    await catalog.close()
  })
})

test('names of tools: an approved name means no tool of another source while its own source does not list it', async ({
  folder,
}) => {
  const { catalog, pins, approve, change, write } = await openPinned(folder)
  write({ tools: [greet, bye] }, 'other.json')
  await catalog.sources.open(serverSpec(folder, 'other', 'other.json'))
  const selection = { agents: [], agentToolsOnly: false }
  const read = async (source: string, tools: object[]) => {
    write({ tools }, source === 'acme' ? 'tools.json' : 'other.json')
    await catalog.sources.refresh(source)
    return [
      servedTools(catalog.tools.list(), selection, catalog.knownNames()).map(({ entry }) => entry.name),
      bridgeTools(catalog, new Set(['acme', 'other']))().list.map(({ name }) => name),
      scriptToolCommands(catalog.tools.list(), catalog.knownNames()).entries.map(({ command }) => command),
    ]
  }
  await read('other', [bye])
  const before = [...(await read('acme', [greet]))]
  expect(before).toEqual(before.map(() => ['greet', 'bye']))
  await change({ tools: [greet, bye] })
  await approve()
  // The other one has no pin, or an approved tool of the name, which it lists as soon as the calls of `greet` reach it.
  for (const isApproved of [false, true]) {
    if (isApproved) {
      await read('other', [greet, bye])
      await approvePin(pins, 'other', await pins.compare('other'))
    }
    await read('other', [])
    expect((await read('acme', [greet])).flat()).toEqual(
      Array.from({ length: 3 }, () => (isApproved ? 'acme_greet' : 'greet')),
    )
    await read('acme', [])
    const names = await read('other', [greet])
    expect(names).toEqual(names.map(() => ['other_greet']))
    expect(() => catalog.tools.find('greet')).toThrow('"greet" is "other/greet" and "acme/greet"')
    expect(catalog.tools.find('other_greet').ref).toBe('other/greet')
    await read('other', [{ ...greet, name: 'acme_greet' }])
    expect(() => catalog.tools.find('acme_greet')).toThrow(
      '"acme_greet" is "other/acme_greet" and "acme/greet"',
    )
  }
  await catalog.close()
})

test('toolscope mcp --scripted: a command does not mean another tool while its own one is refused', async ({
  folder,
}) => {
  const { catalog, pins, approve, change, calls } = await openPinned(folder)
  const [read, other] = [
    { ...greet, name: 'get data' },
    { ...bye, name: 'get_data' },
  ]
  await change({ tools: [read, other] })
  await approve()
  await change({ tools: [{ ...poisoned, name: read.name }, other] })
  const validator = startValidator()
  const factory = scriptedFactory({
    catalog,
    pins,
    validator,
    call: createCaller({ tools: catalog, validator, pins }),
    notifications: new Emitter<SourceNotification>(),
    opened: Promise.resolve(),
    timeoutMs: 10_000,
    allowDestructive: true,
  })
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([factory.build('legacy').connect(theirs), client.connect(ours)])
  const run = (script: string) => client.callTool({ name: 'run_script', arguments: { script } })
  await run('get_data')
  expect(calls()).toEqual([])
  expect(JSON.stringify(await client.listTools())).toContain('Commands: get_data_2.')
  await run('get_data_2')
  expect(calls()).toEqual(['get_data'])
  await client.close()
  await validator.close()
  await catalog.close()
})

/** Lists that were approved, and others in which a client, a script or a reference calls another tool by a name. */
const exchanges: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['the number of a repeated name', ['get A', 'get B', 'get_2 C'], ['get A', 'get B']],
  ['the reference of a repeated name', ['get A', 'get B', 'get~2 C'], ['get A', 'get~2 C', 'get B']],
  ['a letter with another lower case', ['get_data A', 'get\u212adata B'], ['get\u212adata B', 'get_data A']],
  ['a capital with a dot', ['get_data A', 'get\u0130data B'], ['get\u0130data B', 'get_data A']],
]

test.for(exchanges)('approved tools: do not exchange %s', async ([, before, after], { folder }) => {
  const { change, approve, pins, catalog } = await openPinned(folder)
  const toTools = (list: readonly string[]) =>
    list.map(each => ({ ...bye, name: each.slice(0, -2), description: each.slice(-1) }))
  await change({ tools: toTools(before) })
  await approve()
  expect((await pins.refusalsOf('acme')).size).toBe(0)
  await change({ tools: toTools(after) })
  expect((await pins.refusalsOf('acme')).size).toBe(after.length)
  await catalog.close()
})

test('prompts: do not exchange the reference of a repeated name', async ({ folder }) => {
  const { change, write, approve, pins, catalog } = await openPinned(folder)
  const [first, second, other] = [
    { name: 'x', description: 'A' },
    { name: 'x', description: 'B' },
    { name: 'x~2', description: 'C' },
  ]
  write({ tools: [bye], prompts: [first, second, other] })
  await catalog.sources.restart('acme')
  await approve()
  expect((await pins.refusalsOf('acme')).size).toBe(0)
  for (const prompts of [
    [first, other, second],
    [first, second],
  ]) {
    await change({ tools: [bye], prompts })
    expect((await pins.refusalsOf('acme')).size).toBe(prompts.length)
  }
  await catalog.close()
})

describe('renamed tools', () => {
  test('renamed tools: the command of a tool of another source cannot be taken', async ({ folder }) => {
    const acme = await openPinned(folder)
    await acme.approve()
    await acme.catalog.sources.open(serverSpec(folder, 'other', 'other.json'))
    acme.write({ tools: [greet] }, 'other.json')
    await acme.catalog.sources.refresh('other')
    // Both list `greet`, so a client calls that of the other source `other_greet`.
    await acme.change({ tools: [greet, { ...bye, name: 'other_greet' }] })
    expect(await acme.call('acme/other_greet')).toMatchObject(refused)
    // The list of a source may not be known yet.
    await acme.change({ tools: [greet, { ...bye, name: 'other_bye' }] })
    expect(await acme.call('acme/other_bye')).toMatchObject(refused)
    // A script trims the name of a command.
    for (const name of [' other_greet', ' other_bye', 'other_greet ']) {
      await acme.change({ tools: [greet, { ...bye, name }] })
      expect(await acme.call(`acme/${name}`)).toMatchObject(refused)
    }
    // Scripts have a program of this name.
    await acme.change({ tools: [greet, { ...bye, name: 'column' }] })
    expect(await acme.call('acme/column')).toMatchObject(refused)
    await acme.change({ tools: [greet, { ...bye, name: 'see_you' }] })
    expect(await acme.call('acme/see_you')).toMatchObject(ran)
    await acme.change({ tools: [greet, { ...bye, name: 'acme_bye' }] })
    expect(await acme.call('acme/acme_bye')).toMatchObject(ran)
    await acme.catalog.close()
  })

  test('renamed tools: a name that is approved for another source cannot be taken while that is closed', async ({
    folder,
  }) => {
    const acme = await openPinned(folder)
    await acme.approve()
    await acme.catalog.sources.open(serverSpec(folder, 'other', 'other.json'))
    acme.write({ tools: [{ ...greet, name: 'Save-It' }] }, 'other.json')
    await acme.catalog.sources.refresh('other')
    const { fingerprint } = await acme.pins.compare('other')
    await approvePin(acme.pins, 'other', { fingerprint })
    await acme.catalog.sources.remove('other')
    await acme.change({ tools: [greet, { ...bye, name: 'save_it' }] })
    expect(await acme.call('acme/save_it')).toMatchObject(refused)
    const { items } = await reviewPin(acme.pins, 'acme')
    expect(items).toMatchObject([{ name: 'save_it', pinnedName: 'bye', classes: ['new'], action: 'ask' }])
    // A person approves the name with what it is now.
    await acme.approve()
    expect(await acme.call('acme/save_it')).toMatchObject(ran)
    await acme.catalog.close()
  })

  test('renamed tools: a name that another approved tool had before cannot be taken', async ({ folder }) => {
    const acme = await openPinned(folder)
    await acme.approve()
    await acme.change({ tools: [{ ...greet, name: 'hello you' }, bye] })
    expect(await acme.call('acme/hello you')).toMatchObject(ran)
    await acme.change({ tools: [greet, { ...bye, name: 'hello_you' }] })
    expect(await acme.call('acme/hello_you')).toMatchObject(refused)
    await acme.change({ tools: [{ ...greet, name: 'hello_you' }, bye] })
    expect(await acme.call('acme/hello_you')).toMatchObject(ran)
    await acme.catalog.close()
  })

  test('renamed tools: the number or the spelling of another tool of the server cannot be taken', async ({
    folder,
  }) => {
    const acme = await openPinned(folder)
    await acme.change({ tools: [greet, { ...greet, description: 'Greets twice.' }, bye] })
    await acme.approve()
    await acme.change({
      tools: [{ ...bye, name: 'greet_2' }, greet, { ...greet, description: 'Greets twice.' }],
    })
    expect(await acme.call('acme/greet_2')).toMatchObject(refused)
    // Its own name in another spelling was approved.
    await acme.change({
      tools: [{ ...bye, name: 'Bye' }, greet, { ...greet, description: 'Greets twice.' }],
    })
    expect(await acme.call('acme/Bye')).toMatchObject(ran)
    await acme.catalog.close()
  })

  test('renamed tools: a rule of LLM_MCP_NEED_CONFIRM or SKIP_CONFIRM holds for the approved name', async ({
    folder,
  }) => {
    const env = { LLM_MCP_NEED_CONFIRM: 'bye', LLM_MCP_SKIP_CONFIRM: 'list_.*' }
    const command = [process.execPath, changingServer, join(folder, 'tools.json')]
    const spec = configuredSource({ mcp: { command, env } }, { name: 'acme' }, {})
    const acme = await openPinned(folder, { spec })
    await acme.approve()
    await acme.change({ tools: [greet, { ...bye, name: 'hide' }] })
    expect(await acme.call('acme/hide')).toMatchObject(refused)
    const { items } = await reviewPin(acme.pins, 'acme')
    expect(items).toMatchObject([{ name: 'hide', pinnedName: 'bye', classes: ['lowered-safety'] }])
    await acme.change({ tools: [{ ...greet, name: 'list_all' }, bye] })
    expect(await acme.call('acme/list_all')).toMatchObject(refused)
    await acme.change({ tools: [{ ...greet, name: 'welcome' }, bye] })
    expect(await acme.call('acme/welcome')).toMatchObject(ran)
    await acme.catalog.close()
  })
})
