import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { RecordingLine } from '../../core/wire/recording.ts'
import { project } from '../../scripts/project.mjs'
import { readRecording } from '../wire/recording-file.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-record-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `toolscope record` until `visit` has returned; the address of the page is passed to it. */
async function record(
  args: readonly string[],
  visit: (api: (path: string, body?: object) => Promise<Response>) => Promise<void>,
) {
  const stop = new AbortController()
  let [stdout, stderr] = ['', '']
  let visited: Promise<void> | undefined
  const code = await run(['record', ...args], {
    directory: folder,
    environment: { ...process.env, NO_COLOR: '1', TOOLSCOPE_DATA_DIR: join(folder, 'data') },
    signal: stop.signal,
    readStdin: async () => '',
    say: line => {
      stderr += `${line}\n`
    },
    write(text) {
      stdout += text
      const url = /ready: (\S+)/.exec(text)?.[1]
      if (url === undefined) return
      const { origin, hash, searchParams } = new URL(url)
      const token = searchParams.get('token') ?? new URLSearchParams(hash.slice(1)).get('token') ?? ''
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      visited = visit((path, body) =>
        fetch(
          `${origin}${path}`,
          body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
        ),
      ).finally(() => stop.abort())
      // The test awaits it after the command.
      visited.catch(() => {})
    },
    writeError: text => {
      stderr += text
    },
  })
  await visited
  return { code, stdout, stderr }
}

async function readLines(file: string): Promise<RecordingLine[]> {
  const lines: RecordingLine[] = []
  for await (const { line } of readRecording(file)) lines.push(line)
  return lines
}

it('record: writes each message of the sources from their start, and counts calls and secrets', async () => {
  const server = project('server/sources/fixtures/mcp-quirks-old.mjs')
  const args = [`mcp:${process.execPath} ${server}`, '-o', 'a.toolrec', '--no-open', '--port', '0']
  const { code, stdout, stderr } = await record(args, async api => {
    const { sources } = (await (await api('/api/sources')).json()) as { sources: { name: string }[] }
    const name = sources[0]?.name ?? ''
    // Waits until the source is open: the page does not.
    await (await api(`/api/sources/${name}/refresh`, {})).text()
    const input = { message: 'x', password: 'hunter2-hunter2' }
    const answer = await api('/api/invocations', { ref: `${name}/echo`, input })
    expect(await answer.text()).toContain('"type":"result"')
    const wire = (await (await api(`/api/sources/${name}/wire?method=tools%2Fcall`)).json()) as {
      matches: number
    }
    expect(wire.matches).toBe(2)
    const started = await api('/api/recordings', { sources: [name], withPast: true })
    const { id } = (await started.json()) as { id: string }
    await api(`/api/recordings/${id}/stop`, {})
    const download = await (await api(`/api/recordings/${id}/file`)).text()
    expect(download).toContain('"type":"end"')
    expect(download).not.toContain('hunter2')
  })
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
  expect(stdout).toMatch(/\d+ messages and 1 call in .*a\.toolrec, \d+ secrets? masked/)
  const lines = await readLines(join(folder, 'a.toolrec'))
  expect(lines[0]).toMatchObject({ type: 'header', by: 'toolscope record' })
  expect(lines.at(-1)?.type).toBe('end')
  const [first] = lines.filter(line => line.type === 'message')
  expect(first).toMatchObject({ seq: 1, direction: 'sent' })
  expect(JSON.stringify(lines)).not.toContain('hunter2')
})

it('record: refuses a file that exists, and names what is missing', async () => {
  const { code, stderr } = await record(['m.json', '-o', 'data', '--no-open'], async () => {})
  expect([code, stderr]).toEqual([2, expect.stringContaining('exists')])
  expect(existsSync(join(folder, 'm.json'))).toBe(false)
})
