import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteForShell } from '../text/shell.ts'
import { noFields } from '../tool/is-secret.ts'
import {
  type CopyContext,
  copyInput,
  copyVariables,
  curlApi,
  curlBridge,
  fetchTypescript,
  mcpRequest,
  shellCommand,
  toolscopeCall,
} from './copy-as.ts'

const program: CopyContext = {
  tool: { ref: 'acme/api greet', source: 'acme', name: 'api greet', inputSchema: { type: 'object' } },
  source: { kind: 'llms-program', label: 'node acme.mjs', toolCount: 9, argument: 'node acme.mjs' },
  input: '{"name":"Ada"}',
  variables: {},
  origin: 'http://127.0.0.1:4477',
}
const tree: CopyContext = {
  ...program,
  tool: {
    ref: 'functions/garden add_plant',
    source: 'functions',
    name: 'garden add_plant',
    inputSchema: {},
    extra: { agent: true, agentName: 'garden', functionName: 'add_plant' },
  },
  source: { kind: 'functions-directory', label: 'my functions', toolCount: 7, argument: "'my functions'" },
  variables: { place: "Ada's", 'bad name!': 'x' },
}
const bridge: CopyContext = {
  ...program,
  tool: { ref: 'b/fs_read', source: 'b', name: 'fs_read', inputSchema: {} },
  source: { kind: 'bridge-url', label: 'http://127.0.0.1:8808', toolCount: 1 },
}

describe('copied input', () => {
  const none = noFields

  it('keeps its digits, its repeated keys and its strings, on one line', () => {
    expect(copyInput('{ "id": 12345678901234567890,\n "s": "a  \\" b", "n": 1.50 }', none)).toEqual({
      text: '{"id":12345678901234567890,"s":"a  \\" b","n":1.50}',
      masked: false,
    })
    expect(copyInput(' ', none)).toEqual({ text: '{}', masked: false })
    expect(copyInput('{"a":', none)).toBeUndefined()
    expect(copyInput('['.repeat(100_000), none)).toBeUndefined()
  })

  it('never contains a secret', () => {
    const text = '{"user":"ada","password":"p4ss!","deep":[{"pin":1234,"apiKey":""}]}'
    expect(copyInput(text, { ...none, marked: new Set(['pin']) })).toEqual({
      text: '{"user":"ada","password":"•••","deep":[{"pin":"•••","apiKey":""}]}',
      masked: true,
    })
    expect(copyVariables({ city: 'Oslo', api_token: 'p4ss!', token: '' })).toEqual({
      values: { city: 'Oslo', api_token: '•••', token: '' },
      masked: true,
    })
  })

  it('means the same on one line', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        const found = copyInput(JSON.stringify(value, null, 2), none)
        if (found?.masked === false) expect(JSON.parse(found.text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('copied shell command', () => {
  it('calls a program by the words of the tool’s name', () => {
    expect(shellCommand(program)).toBe(`node acme.mjs api greet --json '{"name":"Ada"}'`)
    expect(shellCommand({ ...program, source: { ...program.source, inputFlag: '--input-json' } })).toContain(
      'api greet --input-json',
    )
  })

  it('does not repeat the name if the program itself is the tool', () => {
    const solo = { ...program, tool: { ...program.tool, name: 'solo' } }
    const source = { ...program.source, label: 'node ./solo.mjs', toolCount: 1 }
    expect(shellCommand({ ...solo, source })).toBe(`node ./solo.mjs --json '{"name":"Ada"}'`)
    expect(shellCommand({ ...solo, source: { ...source, toolCount: 2 } })).toContain('solo.mjs solo --json')
  })

  it('gives an incur program positional words and flags', () => {
    const incur = { positionals: ['name'], options: [{ property: 'dryRun', flag: '--dry-run' }] }
    const context = {
      ...program,
      tool: { ...program.tool, extra: { incur } },
      source: { ...program.source, label: 'desk api', format: 'incur' },
      input: '{"dryRun":true,"name":"Ada L"}',
    }
    expect(shellCommand(context)).toBe(`desk api greet 'Ada L' --dry-run=true --format json`)
    expect(shellCommand({ ...context, input: '{"other":1}' })).toBeUndefined()
  })

  it('calls a function of a tree with its agent’s variables', () => {
    expect(shellCommand(tree)).toBe(
      `LLM_AGENT_VAR_PLACE='Ada'\\''s' './my functions/bin/garden' add_plant '{"name":"Ada"}'`,
    )
    expect(shellCommand({ ...tree, tool: { ...tree.tool, extra: { unbuilt: true } } })).toBeUndefined()
  })

  it('is undefined for a bridge', () => expect(shellCommand(bridge)).toBeUndefined())
})

describe('other copied texts', () => {
  it('call the bridge with curl only if there is one', () => {
    expect(curlBridge(bridge)).toContain('http://127.0.0.1:8808/tools/fs_read')
    expect(curlBridge(program)).toBeUndefined()
  })

  it('read the token from its variable, or ask for it', () => {
    expect(curlApi(program)).toContain(`\${TOOLSCOPE_TOKEN:-$(toolscope token http://127.0.0.1:4477)}`)
    expect(fetchTypescript(program)).toContain(
      `process.env.TOOLSCOPE_TOKEN ?? execFileSync('toolscope', ['token', "http://127.0.0.1:4477"]`,
    )
  })

  it('give TypeScript an object, or a text that keeps its digits', () => {
    expect(fetchTypescript(program)).toContain(
      `body: JSON.stringify({ ref: "acme/api greet", input: { name: "Ada" } }),`,
    )
    const odd = '{"a-b":[1,{"c":null}],"d":"x: {\\"y\\":1}"}'
    expect(fetchTypescript({ ...program, input: odd })).toContain(
      `input: { "a-b": [ 1, { c: null } ], d: "x: {\\"y\\":1}" } }),`,
    )
    for (const input of ['{"id":12345678901234567890}', '{"__proto__":1}', '{"a":1,"a":2}', '{"a":1.50}'])
      expect(fetchTypescript({ ...program, input })).toContain(JSON.stringify(input).slice(1, -1))
  })

  it('give MCP the input as it is written', () => {
    const request = mcpRequest({ ...program, input: '{"id":12345678901234567890}' }) ?? ''
    expect(request).toContain('"arguments":{"id":12345678901234567890}')
    expect(JSON.parse(request)).toMatchObject({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'api greet' },
    })
  })

  it('name tool, source, input and variables in toolscope call', () => {
    expect(toolscopeCall(program)).toBe(`toolscope call 'api greet' 'node acme.mjs' --input '{"name":"Ada"}'`)
    expect(toolscopeCall(tree)).toContain(`--variables '{"place":"Ada'\\''s"`)
    expect(toolscopeCall(bridge)).toBeUndefined()
    const source = { ...program.source, argument: 'acme', origin: { file: '/home/ada/toolscope.json' } }
    expect(toolscopeCall({ ...program, source })).toMatch(
      / 'api greet' acme --input .* --config \/home\/ada\/toolscope.json$/,
    )
    const argument = '/home/ada/mcp.json#files'
    expect(
      toolscopeCall({ ...program, source: { ...source, argument, origin: { file: '/home/ada/mcp.json' } } }),
    ).not.toContain('--config')
    const answers = '["accept",{"action":"accept","content":{"key":"•••"}}]'
    expect(toolscopeCall({ ...program, answers })).toContain(`--answers '${answers}'`)
    expect(curlApi({ ...tree, answers })).toContain(`"},"answers":${answers}}}`)
  })

  it('give toolscope call the headers and the directory of its source, with variables for the shell', () => {
    const named = (argumentOptions: CopyContext['source']['argumentOptions'] & object) =>
      toolscopeCall({ ...program, source: { ...program.source, argumentOptions } })
    expect(
      named({ headers: { Authorization: `Bearer ${'${AUTHORIZATION}'}`, 'X-Key': `${'${X_KEY}'}` } }),
    ).toMatch(/ -H 'Authorization: Bearer '"\$\{AUTHORIZATION:\?\}" -H 'X-Key: '"\$\{X_KEY:\?\}"$/)
    expect(named({ directory: "/home/ada's" })).toMatch(/ --cwd '\/home\/ada'\\''s'$/)
  })

  it('name a tool in toolscope call as its source alone names it', () => {
    const named = (source: string, path: string) => {
      const tool = { ...program.tool, source, ref: `${source}/${path}` }
      return toolscopeCall({ ...program, tool })
    }
    expect(named('mymem', 'prompts/greet')).toContain('toolscope call prompts/greet ')
    expect(named('acme-3', 'twin~2')).toContain(`toolscope call 'twin~2' `)
    // An option otherwise.
    expect(named('acme', '-x')).toContain('toolscope call acme/-x ')
  })
})

it('quoteForShell: quotes only what needs quotes', () => {
  expect(['a', '--x=1', '/bin/ls', "it's", '', '$HOME', '~', 'a b'].map(quoteForShell)).toEqual([
    'a',
    '--x=1',
    '/bin/ls',
    `'it'\\''s'`,
    `''`,
    `'$HOME'`,
    `'~'`,
    `'a b'`,
  ])
})
