import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { program } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'

/** Types "y" before the program asks, and "n" after it asked. Prints the screen. */
const typist = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.write(terminal, b'y\\n')
screen = b''
is_answered = False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    screen += part
    if b'[y/N]' in screen and not is_answered:
        is_answered = True
        os.write(terminal, b'n\\n')
sys.stdout.write(screen.decode(errors='replace'))
`

test('terminal question: an answer that was typed before it does not count', async ({ folder }) => {
  const command = [process.execPath, resolveInRepository('server/sources/fixtures/mcp-changing.mjs')]
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools: [] }))
  const sources = { acme: { mcp: { command: [...command, 'tools.json'] } } }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  const env = { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, 'data'), NO_COLOR: '1' }
  const child = spawn('python3', ['-c', typist, process.execPath, program, 'list'], { cwd: folder, env })
  const screen = await text(child.stdout)
  expect(screen).toContain('[y/N]')
  expect(screen).toContain('The configuration of this folder is not trusted')
}, 60_000)
