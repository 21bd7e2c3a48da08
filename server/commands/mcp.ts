/** `toolscope mcp [sources…]`: serves the catalog as an MCP server, over stdio or, with --http, at a URL. */

import { z } from 'zod'
import { AppError, toAppError } from '../../core/errors.ts'
import { type Agent, renderInstructions, variableValues } from '../../core/tool/agent.ts'
import { omitRepeated } from '../../core/tool/result-value.ts'
import { dynamicInstructions } from '../catalog/agent-instructions.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { limitCatalog } from '../catalog/limited-catalog.ts'
import { openPeople, type People, type Person } from '../people/people.ts'
import type { Pins } from '../pins/source-pins.ts'
import { Emitter } from '../process/events.ts'
import type { SourceNotification } from '../serve-mcp/pass-notifications.ts'
import type { ServedParts } from '../serve-mcp/serve-catalog.ts'
import type { Selection } from '../serve-mcp/served-tools.ts'
import { readVariables } from './call.ts'
import { type CommandContext, defineCommand, fields, printError, sourceFields, toLimitMs } from './command.ts'
import { openCalls } from './open-calls.ts'
import { nothingNamed, prepareCatalog, reportFailures } from './open-catalog.ts'

export const mcpCommand = defineCommand({
  name: 'mcp',
  description: 'Serve the tools of the sources as an MCP server, over stdio unless --http.',
  input: z.object({
    ...sourceFields,
    agent: z
      .string()
      .optional()
      .describe('Serve only the tools of this agent of an llm-functions directory.'),
    agents: z
      .string()
      .optional()
      .describe(
        'Also serve the tools of these agents of llm-functions directories: names, comma separated, or all.',
      ),
    variables: fields.variables,
    scripted: z
      .boolean()
      .default(false)
      .describe('Serve one tool that runs bash scripts over all tools, instead of each tool.'),
    allowDestructive: z
      .boolean()
      .default(false)
      .describe(
        'Also call tools that LLM_MCP_NEED_CONFIRM names and, with --scripted, all that need confirmation.',
      ),
    files: z.boolean().default(true).describe('Let scripts use files of their own, with --scripted.'),
    http: z.boolean().default(false).describe('Serve Streamable HTTP at /mcp instead of stdio.'),
    port: fields.port.default(0).describe('With --http: port; default a free one.'),
    host: z
      .string()
      .default('127.0.0.1')
      .describe('With --http: address to listen on; other addresses than this machine need your own token.'),
    token: fields.token,
    tokenFile: fields.tokenFile,
    withoutToken: z
      .boolean()
      .default(false)
      .describe('With --http, on this machine only: answer every program without a token.'),
    timeout: fields.timeLimit
      .default('60s')
      .describe('Time limit of one call, unless its source sets one: 500ms, 60 or 60s, 5m, 1h.'),
    config: fields.config,
    trust: fields.trust,
    maxCalls: fields.maxCalls,
    database: fields.database,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope mcp mcp.json', 'over stdio'],
    ['toolscope mcp acme --http --port 8080', 'at http://127.0.0.1:8080/mcp'],
  ],
  exitCodes: {
    0: 'it was stopped, or the client closed the connection',
    2: 'the command line or toolscope.json is invalid',
    3: 'none of the named sources exists',
  },
  output: z.object({ url: z.string().optional() }),

  async run(input, context) {
    const notifications = new Emitter<SourceNotification>()
    const prepared = await prepareCatalog(input, context, {
      notified: (notification, source) => notifications.emit({ notification, source }),
    })
    const { catalog, specs, failures } = prepared
    if (specs.length === 0) throw failures[0] ?? nothingNamed(context)
    for (const error of failures) printError(error, context)
    const calls = await openCalls(input, prepared, context)
    // The protocol uses stdout, so failures go to stderr; a source that fails does not affect the others.
    const opened = Promise.all(specs.map(spec => catalog.sources.add(spec))).then(() =>
      reportFailures({ ...prepared, failures: [] }, context),
    )
    try {
      if (input.agent !== undefined && input.agents !== undefined)
        throw new AppError('usage', '--agent serves one agent; it cannot be combined with --agents')
      const variables = readVariables(input.variables)
      const names = input.agents?.split(',').map(name => name.trim()) ?? []
      const agents = names.includes('all') ? 'all' : names
      // An agent is only known after its tree has been read.
      if ((input.agent ?? input.agents) !== undefined) await opened
      if (agents !== 'all') for (const name of agents) findAgent(catalog, name)
      const agent =
        input.agent === undefined
          ? undefined
          : await prepareAgent(input.agent, variables, { ...prepared, ...calls }, context)
      // Imported late, because the MCP server takes long to load.
      const { createFactory, overHttp, overStdio } = await import('../serve-mcp/serve-catalog.ts')
      const served: ServedParts = {
        catalog,
        ...calls,
        opened,
        notifications,
        variables,
        instructions: agent?.instructions,
        selection: {
          agentToolsOnly: /^(?:1|true)$/.test(context.environment.AGENT_TOOLS_ONLY ?? ''),
          agent: agent?.tools,
          agents,
        },
      }
      const limits = { ...input, timeoutMs: toLimitMs(input.timeout) }
      const factory = createFactory(limits, served)
      if (!input.http) {
        await overStdio(factory, context.signal)
        return { output: {} }
      }
      const people = await openPeople(calls.store, context.say)
      const factoryFor = (person: Person, refused: (target: string) => void) =>
        createFactory(limits, limitServed(served, { person, people, refused, agentSource: agent?.source }))
      const url = await overHttp(factory, input, { ...context, people, factoryFor }).finally(() =>
        people.close(),
      )
      return { output: { url } }
    } finally {
      await calls.close()
    }
  },

  print() {
    // The protocol was the output.
  },
})

/** Returns what a person is served: only its sources, and calls in its name. */
function limitServed(
  served: ServedParts,
  {
    person,
    people,
    refused,
    agentSource,
  }: {
    readonly person: Person
    readonly people: People
    readonly refused: (target: string) => void
    readonly agentSource: string | undefined
  },
): ServedParts {
  const { catalog, call, notifications } = served
  if (person.sources === undefined)
    return { ...served, refused, call: people.callerFor(call, person, undefined, refused) }
  const names = new Set(person.sources)
  const sees = (source: string | undefined) => source !== undefined && names.has(source)
  const own = limitCatalog(catalog, names)
  return {
    ...served,
    refused,
    catalog: own,
    call: people.callerFor(call, person, own, refused),
    notifications: { on: listener => notifications.on(said => sees(said.source) && listener(said)) },
    instructions: sees(agentSource) ? served.instructions : undefined,
  }
}

/** @param source only of this one */
function findAgent(
  catalog: Catalog,
  name: string,
  { source, refusals }: { source?: string; refusals?: Parameters<Catalog['agents']>[0] } = {},
): Agent {
  const agents = catalog.agents(refusals)
  const found = agents.find(each => each.name === name && each.source === (source ?? each.source))
  if (found !== undefined) return found
  const known = agents.map(agent => agent.name).join(', ') || 'none'
  throw new AppError('usage', `there is no agent "${name}" in the sources; there are: ${known}`, {
    hint: 'Agents come from llm-functions directories: toolscope mcp <directory> --agent <name>.',
  })
}

interface ServedAgent {
  readonly source: string
  readonly instructions: string | undefined
  readonly tools: Selection['agent']
}

/** An agent that is not as it was approved is served without its instructions, and with the tools that it had then. */
async function prepareAgent(
  name: string,
  variables: Readonly<Record<string, string>>,
  { catalog, pins }: { readonly catalog: Catalog; readonly pins: Pins },
  context: CommandContext,
): Promise<ServedAgent> {
  const { source } = findAgent(catalog, name)
  const other = catalog.agents().find(each => each.name === name && each.source !== source)
  if (other !== undefined)
    throw new AppError('usage', `"${source}" and "${other.source}" have an agent "${name}"`, {
      hint: 'Serve only the source of the one that you mean.',
    })
  // `{{__tools__}}` has the descriptions of its tools.
  const { agent, definition } = await pins.readCompared(refusals => ({
    agent: findAgent(catalog, name, { source, refusals }),
    definition: catalog.sources
      .find(source)
      ?.session?.agents?.list()
      .find(each => each.name === name),
  }))
  try {
    await pins.demandAgent(source, definition)
  } catch (thrown) {
    context.say(
      `The instructions of the agent "${name}" and tools that were added to it are not served: ${toAppError(thrown).detail}`,
    )
    return {
      source,
      instructions: undefined,
      tools: collectRefs(agent, listApprovedTools(pins, source, name)),
    }
  }
  const answer =
    agent.dynamicInstructions &&
    (await dynamicInstructions(catalog.sources, agent, variables, context.signal))
  if (answer && 'problem' in answer) {
    const { message, stderr = '' } = answer.problem
    const said = [omitRepeated(message, stderr), stderr.trimEnd()].filter(text => text !== '').join('\n')
    context.say(`The function _instructions of the agent "${name}" gave no text: ${said}`)
  }
  const text = answer && 'text' in answer ? answer.text : agent.instructions
  const values = { ...variableValues(agent.variables, variables), ...agent.builtIn }
  const instructions = renderInstructions(text, values) || undefined
  return { source, instructions, tools: collectRefs(agent) }
}

/** @param names only the tools of these names */
function collectRefs(
  { source, name, ownTools, sharedTools }: Agent,
  names?: ReadonlySet<unknown>,
): Selection['agent'] {
  const isServed = (name: string) => names?.has(name) !== false
  const refs = (tools: Agent['ownTools']) =>
    new Set(tools.flatMap(({ ref, name }) => (ref === undefined || !isServed(name) ? [] : [ref])))
  return { source, name, own: refs(ownTools), shared: refs(sharedTools) }
}

/**
 * Returns the names of the tools of an agent as it was approved; undefined if its source has no pin, so that no call runs.
 * Throws AppError `pin-unreadable`.
 */
function listApprovedTools(pins: Pins, source: string, name: string): ReadonlySet<unknown> | undefined {
  const { pinned, pinnedAs } = pins.observe(source)
  if (pinnedAs === undefined) return undefined
  const approved = pinned.find(item => item.kind === 'agent' && item.name === name)
  const lists = [approved?.definition.ownTools, approved?.definition.sharedTools]
  return new Set(lists.flatMap(list => (Array.isArray(list) ? list : [])))
}
