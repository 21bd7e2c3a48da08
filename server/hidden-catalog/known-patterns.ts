/** The hidden catalogs that are recognised by the names and input schemas of a server's tools. */
import type { HiddenCatalogPattern } from '../../core/api/hidden-catalog.ts'
import { isObject, own, type UnknownObject } from '../../core/json/json.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'

/** `incur --mcp` since 0.4.15: four tools, with 20 tools on a page at most (Mcp.ts of incur). */
const incur: HiddenCatalogPattern = {
  list: {
    tool: 'search_tools',
    arguments: { query: '', limit: 20, offset: '{next}' },
    entries: '/tools',
    next: '/nextOffset',
  },
  describe: { tool: 'get_tool_details' },
  call: { tool: 'call_write_tool', readOnlyTool: 'call_read_tool' },
}

/** bashkit's ScriptedTool: a shell whose `help` describes the commands that are tools. */
const createScriptedTool = (tool: string): HiddenCatalogPattern => ({
  list: { tool, arguments: { commands: 'help --list' }, lines: true },
  describe: { tool, arguments: { commands: 'help {name:shell} --json' } },
  call: { tool, arguments: { commands: '{name:shell} {input:flags}' } },
  output: { stdout: '/stdout', exitCode: '/exit_code', stderr: '/stderr' },
  fields: { inputSchema: '/input_schema' },
})

/** Returns the pattern that the tools of a server follow; undefined if they follow none. */
export function findPattern(tools: readonly ManifestTool[]): HiddenCatalogPattern | undefined {
  const takes = (name: string, fields: readonly string[]) =>
    tools.some(tool => tool.name === name && hasFields(tool, fields))
  const call = ['name', 'arguments']
  if (
    takes('search_tools', ['query', 'limit', 'offset']) &&
    takes('get_tool_details', ['name']) &&
    takes('call_read_tool', call) &&
    takes('call_write_tool', call)
  )
    return incur
  const [shell, ...others] = tools.filter(isScriptedTool)
  return shell === undefined || others.length > 0 ? undefined : createScriptedTool(shell.name)
}

/** Whether a tool takes these fields and requires no other. */
function hasFields(tool: ManifestTool, names: readonly string[]): boolean {
  const { properties, required } = readSchema(tool)
  return (
    names.every(name => isObject(own(properties, name))) &&
    required.every(name => typeof name === 'string' && names.includes(name))
  )
}

/** Whether a tool takes bash commands and nothing else but a time limit. A plain shell does too: its `help` differs. */
function isScriptedTool(tool: ManifestTool): boolean {
  const { properties, required } = readSchema(tool)
  const commands = own(properties, 'commands')
  if (!isObject(commands) || own(commands, 'type') !== 'string') return false
  const texts = [tool.description, own(commands, 'description')]
  return (
    required.includes('commands') &&
    Object.keys(properties).every(name => name === 'commands' || name === 'timeout_ms') &&
    (tool.name === 'commands' || texts.some(text => typeof text === 'string' && /\bbash\b/i.test(text)))
  )
}

function readSchema({ inputSchema }: ManifestTool): { properties: UnknownObject; required: unknown[] } {
  const schema = isObject(inputSchema) ? inputSchema : {}
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')]
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required : [],
  }
}
