import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSearchIndex } from '../catalog/search-index.ts'
import type { JsonSchema, Tool } from '../tool/tool.ts'
import { legalNames, numbered } from './legal-names.ts'
import {
  chooseTools,
  cutPromptPreview,
  promptParts,
  readablePrompt,
  setName,
  wireLength,
  wirePrompt,
} from './prompt.ts'
import { promptFormats } from './prompt-formats.ts'
import { nameToolCommands } from './tool-commands.ts'

function tool(source: string, name: string, more: Partial<Tool> = {}): Tool {
  return { ref: `${source}/${name}`, source, name, index: 0, callable: true, inputSchema: {}, ...more }
}

const user: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    include_orders: { type: 'boolean' },
    role: { type: 'string', enum: ['admin', 'user'] },
  },
  required: ['id'],
}

const users = [
  tool('acme', 'get_user', {
    description: 'Fetch user by ID\nThe second line is not part of a one-liner.',
    inputSchema: user,
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }),
  tool('acme', 'api sum', { title: 'Sum' }),
]

const prompt = (format: 'text' | 'mcp' | 'openai' | 'anthropic', compact: boolean) =>
  wirePrompt(promptParts(users, { format, compact, set: 'acme' }))

describe('prompt of a scripted tool', () => {
  test('names each command with its flags in the full form', () => {
    expect(prompt('text', false)).toBe(
      'acme: run bash scripts that orchestrate registered tool commands. Commands: get_user [--id <integer> --include_orders <boolean> --role <string>], api_sum. Pass args as --key value or --key=value. Shell logic, stdin pipelines and files that last as long as the script are available. Use help/discover builtins for runtime details.',
    )
  })

  test('names each command with one line in the short form', () => {
    expect(prompt('text', true)).toBe(
      'acme: run bash scripts that orchestrate registered tool commands. Commands: get_user (Fetch user by ID), api_sum. Pass args as --key value or --key=value. Shell logic, stdin pipelines and files that last as long as the script are available. Use help/discover builtins for runtime details.',
    )
  })
})

describe('prompts for APIs', () => {
  test('write tools as OpenAI Chat Completions takes them', () => {
    expect(JSON.parse(prompt('openai', false))).toEqual([
      {
        type: 'function',
        function: { name: 'get_user', description: users[0]?.description, parameters: user },
      },
      { type: 'function', function: { name: 'api_sum', parameters: { type: 'object' } } },
    ])
  })

  test('write tools as Anthropic takes them', () => {
    expect(JSON.parse(prompt('anthropic', false))).toEqual([
      { name: 'get_user', description: users[0]?.description, input_schema: user },
      { name: 'api_sum', input_schema: { type: 'object' } },
    ])
  })

  test('write tools as MCP takes them, with title, output schema and annotations', () => {
    expect(JSON.parse(prompt('mcp', false))).toEqual({
      tools: [
        {
          name: 'get_user',
          description: users[0]?.description,
          inputSchema: user,
          outputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        },
        { name: 'api_sum', title: 'Sum (api sum)', inputSchema: { type: 'object' } },
      ],
    })
  })

  test('write a help tool, names and one line each in the short form', () => {
    const [help, ...rest] = JSON.parse(prompt('anthropic', true))
    expect(help).toMatchObject({ name: 'help', input_schema: { required: ['tool'] } })
    expect(rest).toEqual([
      { name: 'get_user', description: 'Fetch user by ID', input_schema: { type: 'object' } },
      { name: 'api_sum', input_schema: { type: 'object' } },
    ])
  })

  test('write an empty list for no tools, or the help tool alone in the short form', () => {
    const empty = (format: 'mcp' | 'openai', compact: boolean) =>
      JSON.parse(wirePrompt(promptParts([], { format, compact, set: 'x' })))
    expect(empty('mcp', false)).toEqual({ tools: [] })
    expect(empty('openai', true)).toHaveLength(1)
  })

  test('write each tool, also one with a schema nested 50,000 deep', () => {
    let deep: JsonSchema = {}
    for (let level = 0; level < 50_000; level++) deep = { items: deep }
    const parts = promptParts([tool('a', 'deep', { inputSchema: deep }), tool('a', 'b')], {
      format: 'openai',
      compact: false,
      set: 'a',
    })
    expect(JSON.parse(readablePrompt(parts))).toHaveLength(2)
  })
})

describe('cutPromptPreview and wireLength', () => {
  const many = Array.from({ length: 50 }, (_, at) => tool('a', `t${at}`, { description: 'x'.repeat(100) }))
  const parts = promptParts(many, { format: 'openai', compact: false, set: 'a' })

  test('give the beginning of the prompt, and say whether there is more', () => {
    const { text, cut } = cutPromptPreview(parts, 2_000)
    expect(cut).toBe(true)
    expect(text).toHaveLength(2_000)
    expect(readablePrompt(parts).startsWith(text)).toBe(true)
    expect(cutPromptPreview(parts, 100_000)).toEqual({ text: readablePrompt(parts), cut: false })
  })

  test('count the length of what is sent', () => {
    expect(wireLength(parts)).toBe(wirePrompt(parts).length)
    const none = promptParts([], { format: 'mcp', compact: true, set: 'a' })
    expect(wireLength(none)).toBe(wirePrompt(none).length)
  })
})

describe('numbered', () => {
  test('numbers the first name of each source before those that a source repeats', () => {
    const two = (...sources: string[]) => numbered(Array(sources.length).fill('find'), { sources })
    expect(two('a', 'b')).toEqual(['find', 'find_2'])
    expect(two('a', 'a', 'a', 'b', 'b')).toEqual(['find', 'find_3', 'find_4', 'find_2', 'find_2_2'])
  })
})

describe('legalNames', () => {
  test('keeps a tool’s own name if it is legal and free', () => {
    expect(legalNames([tool('a', 'x'), tool('b', 'x'), tool('a', 'y.z')])).toEqual(['a_x', 'b_x', 'y_z'])
    expect(legalNames([tool('a', 'x y'), tool('a', 'x_y'), tool('a', 'x_y_2')])).toEqual([
      'x_y',
      'x_y_3',
      'x_y_2',
    ])
  })

  test('leaves a tool its own name if another tool of its source gets the same one', () => {
    const own = [tool('git', 'check_it'), tool('git', 'git_check_it')]
    expect(legalNames(own)).toEqual(['check_it', 'git_check_it'])
    expect(legalNames([...own, tool('dev', 'check.it')])).toEqual([
      'git_check_it_2',
      'git_check_it',
      'dev_check_it',
    ])
  })

  test('gives no list of a source a name of another source', () => {
    const own = [tool('git', 'get'), tool('git', 'get'), tool('dev', 'git_get')]
    expect(legalNames(own)).toEqual(['get', 'get_2', 'dev_git_get'])
    expect(legalNames([tool('dev', 'git_get')])).toEqual(['git_get'])
    expect(legalNames([tool('dev', 'git_get')], { known: ['git'] })).toEqual(['dev_git_get'])
    const names = ['git_get', 'git_get_2', 'dev_git_get', 'dev_get_2']
    expect(legalNames([...own, tool('dev', 'get_2')])).toEqual(names)
    expect(legalNames([...own, tool('dev', 'get_2'), tool('dev', 'git_get_2')])).toEqual([
      ...names,
      'dev_git_get_2',
    ])
  })

  test('gives names with a prefix that is cut to all tools of a source, or to none', () => {
    const [first, second] = ['1', '2'].map(end => `${'x'.repeat(58)}_${end}`) as [string, string]
    const own = [tool('acme', `${second}`), tool('acme', first)]
    const names = legalNames([...own, tool('b', first)])
    expect(names.slice(0, 2)).toEqual([`acme_${'x'.repeat(55)}`, `acme_${'x'.repeat(55)}_2`])
    expect(legalNames([...own, tool('b', first), tool('b', second)]).slice(0, 2)).toEqual(names.slice(0, 2))
  })

  test('does not depend on the list of another source, and neither do commands', () => {
    const known = ['a', 'B', 'c']
    const part = fc.constantFrom(
      'a_',
      'B_',
      'get',
      'echo',
      '_2',
      '__',
      ' ',
      '\u212a',
      'x'.repeat(58),
      'y'.repeat(70),
    )
    const list = fc.array(
      fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('')),
      { maxLength: 3 },
    )
    const toTools = (lists: readonly (readonly string[])[]) =>
      lists.flatMap((names, at) => names.map((name, index) => ({ ...tool(known[at] ?? '', name), index })))
    const makers: ((tools: Tool[]) => readonly string[])[] = [
      tools => legalNames(tools, { known }),
      tools => nameToolCommands(tools, known).entries.map(({ command }) => command),
    ]
    fc.assert(
      fc.property(fc.tuple(list, list, list), list, fc.nat(2), (lists, other, changed) => {
        const [before, after] = [toTools(lists), toTools(lists.with(changed, other))]
        for (const make of makers) {
          const meant = new Map(make(before).map((name, at) => [name, before[at]]))
          for (const [at, name] of make(after).entries()) {
            const [was, is] = [meant.get(name), after[at]]
            const isOther = was !== undefined && (was.source !== is?.source || was.index !== is.index)
            if (isOther) expect([was.source, is?.source]).toEqual([known[changed], known[changed]])
          }
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('does not use the name of the help tool', () => {
    expect(legalNames([tool('a', 'help')], { taken: ['help'] })).toEqual(['help_2'])
  })

  test('gives legal and unique names for any catalog', () => {
    const names = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ä b'), fc.string({ maxLength: 80 })))
    fc.assert(
      fc.property(names, list => {
        const made = legalNames(list.map(([source, name]) => tool(source, name)))
        expect(new Set(made).size).toBe(made.length)
        for (const name of made) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      }),
    )
  })
})

test('promptParts: gives one entry for each tool, with any schema and name', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.string(), (schema, name, description) => {
      const odd = tool('s', name, { description, inputSchema: schema as JsonSchema })
      for (const format of promptFormats)
        for (const compact of [false, true]) {
          const parts = promptParts([odd, odd], { format, compact, set: 's' })
          expect(parts.parts).toHaveLength(2)
          if (format !== 'text') JSON.parse(wirePrompt(parts))
        }
    }),
  )
})

describe('tools of a prompt', () => {
  const index = createSearchIndex([tool('a', 'api greet'), tool('a', 'api deploy'), tool('b', 'greet')])
  const names = (query: string, sources: string[] = [], without: string[] = []) =>
    chooseTools(index, { query, sources, without }).map(({ ref }) => ref)

  test('are chosen by source, by words, by pattern, and without some', () => {
    expect(names('')).toEqual(['a/api greet', 'a/api deploy', 'b/greet'])
    expect(names('', ['b'])).toEqual(['b/greet'])
    expect(names('greet')).toEqual(['a/api greet', 'b/greet'])
    expect(names('api*')).toEqual(['a/api greet', 'a/api deploy'])
    expect(names('*GREET')).toEqual(['a/api greet', 'b/greet'])
    expect(names('b/*')).toEqual(['b/greet'])
    expect(names('*ee*e*')).toEqual([])
    expect(names('greet', [], ['b/greet'])).toEqual(['a/api greet'])
  })

  test('are called by their source if there is only one', () => {
    expect(setName([tool('a', 'x'), tool('a', 'y')])).toBe('a')
    expect(setName([tool('a', 'x'), tool('b', 'y')])).toBe('toolscope')
    expect(setName([])).toBe('toolscope')
  })
})
