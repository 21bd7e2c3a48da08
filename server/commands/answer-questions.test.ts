/** `toolscope call` and `check` against servers that ask back: prepared answers, a person on the terminal, and nobody. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { filesOf } from '../../scripts/check-project.testkit.ts'
import { project } from '../../scripts/project.mjs'
import { program } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'
import { runCheck, runCommandLine } from './testkit.ts'

const node = process.execPath
const everything = project('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const questions = project('server/sources/fixtures/mcp-questions.mjs')

test('toolscope call: --answers answers by order and by name; an unanswered question is printed with how to answer', async ({
  folder,
}) => {
  const environment = { TOOLSCOPE_DATA_DIR: folder }
  const call = (tool: string, server: string, ...more: string[]) =>
    runCommandLine(['call', tool, `mcp:${node} ${server}`, ...more], { environment })
  const elicit = (...more: string[]) => call('trigger-elicitation-request', `${everything} stdio`, ...more)

  const nobody = await elicit()
  expect(nobody).toMatchObject({ code: 4, stdout: expect.stringContaining('declined') })
  expect(nobody.stderr).toContain('everything asks: Please provide inputs for the following fields:')
  expect(nobody.stderr).toContain(`To answer it: --answers '[{"action":"accept","content":{`)

  const file = join(folder, 'answers.json')
  writeFileSync(file, '[{"action":"accept","content":{"name":"Ada"}}]')
  expect(await elicit('--answers', file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Name: Ada'),
  })
  const wrong = await elicit('--answers', '[{"action":"accept","content":{"integer":7000}}]')
  expect(wrong).toMatchObject({ code: 4, stdout: expect.stringContaining('cancelled') })
  expect(wrong.stderr).toContain('name: missing required value; integer: must be at most 100')
  expect(await elicit('--answers', '[{"action":"agree"}]')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--answers 0 must be one of "accept", "decline", "cancel"'),
  })

  const secret = 'open-sesame-1'
  const byName = {
    guest: { action: 'accept', content: { name: 'Bo', door_password: secret } },
    'How long is the stay?': 'accept',
    terms: 'decline',
  }
  const booked = await call('book-room', questions, '--answers', JSON.stringify(byName), '--json')
  const { content, questions: asked } = JSON.parse(booked.stdout)
  expect(JSON.parse(content[0].text)).toMatchObject({
    stay: { action: 'accept', content: { nights: 2 } },
    terms: { action: 'decline' },
  })
  expect(asked).toMatchObject([{ name: 'guest', by: 'prepared' }, { name: 'stay' }, { action: 'decline' }])

  // History holds questions and answers, and nowhere the secret.
  const kept = await runCommandLine(['history', '--jsonl'], { environment })
  expect(kept.stdout).toContain('"type":"question"')
  expect(kept.stdout).toContain('"nights":2')
  expect(kept.stdout).toContain('door_password')
  expect(kept.stdout).not.toContain(secret)
})

test('toolscope call: asks field by field on a terminal, and again when an answer is invalid', async ({
  folder,
}) => {
  const { code, stdout } = await onTerminal(
    ['call', 'book-room', `mcp:${node} ${questions}`],
    // The name is too short at first, and the nights are too many.
    ['a', 'B', '', 'Bo', '', 'a', '31', '3', 'd'],
    folder,
  )
  expect(stdout).toContain('name: must be at least 2')
  expect(stdout).toContain('nights: must be at most 30')
  expect(stdout).toContain('"guest":{"action":"accept","content":{"name":"Bo"}}')
  expect(stdout).toContain('"nights":3')
  expect(stdout).toContain('"terms":{"action":"decline"}')
  expect(code).toBe(0)
})

test('toolscope check: uses the answers of an example, and fails when one is missing', async ({ folder }) => {
  const { write } = filesOf(folder)
  write('toolscope.json', JSON.stringify({ sources: { rooms: { mcp: { command: [node, questions] } } } }))
  const example = (name: string, more: object) =>
    write(`toolscope.examples/rooms/book-room/${name}.json`, JSON.stringify({ name, input: {}, ...more }))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an example's own way to name a variable
  const guest = { action: 'accept', content: { name: 'Ada', door_password: '${env:DOOR}' } }
  example('books', { answers: { guest, stay: 'accept', terms: 'accept' } })
  example('short', { answers: [guest] })
  const { stdout, code } = await runCheck(folder, [], { DOOR: 'open-sesame-2' })
  expect(stdout).toContain('✓ rooms/book-room · books')
  expect(stdout).toContain('short · failed: the server asked a question: No answer was prepared')
  expect(code).toBe(4)
})

/** Runs the program on a terminal of its own and types the next answer at each prompt. */
function onTerminal(args: readonly string[], answers: readonly string[], folder: string) {
  const line = [node, program, ...args].map(word => `'${word}'`).join(' ')
  const env = { ...process.env, TOOLSCOPE_DATA_DIR: folder }
  const child = spawn('script', ['-qefc', line, '/dev/null'], { env })
  let stdout = ''
  let seen = 0
  const left = [...answers]
  child.stdout.on('data', chunk => {
    stdout += chunk
    // A prompt ends with its sign; what is typed comes back with a line break.
    if (!/(\? |: )$/.test(stdout) || stdout.length === seen) return
    seen = stdout.length
    child.stdin.write(`${left.shift() ?? 'c'}\n`)
  })
  return new Promise<{ readonly code: number | null; readonly stdout: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout }))
  })
}
