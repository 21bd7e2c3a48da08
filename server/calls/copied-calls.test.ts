/** What "Copy as" makes is run for real: every word must reach the program to the letter. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type CopyContext,
  copyInput,
  curlApi,
  fetchTypescript,
  shellCommand,
  toolscopeCall,
} from '../../core/prompt/copy-as.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { noFields } from '../../core/tool/is-secret.ts'
import { resolveInRepository } from '../sources/testkit.ts'

const hostile = [
  "it's",
  'a\nb\n',
  `$HOME $(touch x) \`id\` $${'{PATH}'}`,
  'übér 🎈 \u2028',
  '"quoted" \\ back\\\\slash \\n',
  '! # ~ * ? [a] {a,b} ; & | < > ( )',
  '--flag',
  '',
  ' ',
  '\t\u0001\u007f',
  "''''",
]

/** The words that a shell makes of a line. */
function wordsOf(line: string): string[] {
  const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
  const printed = execFileSync('sh', ['-c', `'${process.execPath}' -e '${script}' -- ${line}`])
  return JSON.parse(printed.toString())
}

const context: CopyContext = {
  tool: { ref: 'acme/api greet', source: 'acme', name: 'api greet', inputSchema: {} },
  source: { kind: 'llms-program', label: 'acme', toolCount: 2, argument: 'examples/acme/acme.mjs' },
  input: JSON.stringify({ text: hostile.join('') }),
  variables: {},
  origin: 'http://127.0.0.1:1',
}

describe('shell line of "copy as"', () => {
  it('passes hostile words to the shell unchanged', () =>
    expect(wordsOf(formatShellCommand(hostile))).toEqual(hostile))

  it('passes any words to the shell unchanged', () => {
    const word = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map(text => text.toWellFormed().replaceAll('\0', ''))
    fc.assert(
      fc.property(fc.array(word, { minLength: 20, maxLength: 60 }), words => {
        expect(wordsOf(formatShellCommand(words))).toEqual(words)
      }),
      { numRuns: 5 },
    )
  })

  it('passes the input to the tool', () => {
    expect(wordsOf(shellCommand(context) ?? '')).toEqual(['acme', 'api', 'greet', '--json', context.input])
    expect(wordsOf(toolscopeCall(context) ?? '')).toEqual([
      'toolscope',
      'call',
      'api greet',
      'examples/acme/acme.mjs',
      '--input',
      context.input,
    ])
  })
})

it('shell line of "copy as": a function of the example runs as it is copied', () => {
  const tree: CopyContext = {
    ...context,
    tool: { ref: 'functions/word_stats', source: 'functions', name: 'word_stats', inputSchema: {} },
    source: { kind: 'functions-directory', label: 'examples/functions', toolCount: 7 },
    input: JSON.stringify({ text: `one ${hostile[2]} one` }),
  }
  const printed = execFileSync('sh', ['-c', shellCommand(tree) ?? ''], { cwd: resolveInRepository('.') })
  expect(printed.toString()).toContain('"word": "home"')
})

describe('copied request', () => {
  const exact = copyInput('{"id": 12345678901234567890, "text": "it\'s `$HOME`"}', noFields)
  const input = exact?.text ?? ''
  const sent = { authorization: 'Bearer t0k', body: `{"ref":"acme/api greet","input":${input}}` }

  /** Runs a program with what is copied for a server, and returns the requests that the server got. */
  async function requestsOf(file: string, wordsFor: (at: CopyContext) => string[]) {
    const got: { authorization: string | undefined; body: string }[] = []
    const server = createServer(async (request, answer) => {
      const body = await text(request)
      got.push({ authorization: request.headers.authorization, body })
      answer.end('{"type":"result"}\n')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const words = wordsFor({ ...context, origin: `http://127.0.0.1:${port}`, input })
    const env = { ...process.env, TOOLSCOPE_TOKEN: 't0k' }
    expect((await promisify(execFile)(file, words, { env })).stdout).toContain('result')
    return got
  }

  it('as TypeScript sends the exact body and the token', async () => {
    const words = (at: CopyContext) => ['--input-type=module', '-e', fetchTypescript(at) ?? '']
    expect(await requestsOf(process.execPath, words)).toEqual([sent])
  })

  it.skipIf(spawnSync('curl', ['--version']).status !== 0)(
    'as curl sends the exact body and the token',
    async () => {
      expect(await requestsOf('sh', at => ['-c', curlApi(at) ?? ''])).toEqual([sent])
    },
  )
})
