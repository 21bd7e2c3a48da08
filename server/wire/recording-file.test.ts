import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readRecordedCalls } from '../../core/wire/recorded-calls.ts'
import type { RecordedMessage, RecordingLine } from '../../core/wire/recording.ts'
import { test } from '../testing/folder-test.ts'
import { RecordingWriter, readRecording } from './recording-file.ts'

const by = 'toolscope tap'
const message = (seq: number, text: string, more: Partial<RecordedMessage> = {}): RecordedMessage => ({
  type: 'message',
  source: 0,
  seq,
  atMs: seq,
  direction: 'sent',
  part: 'message',
  text,
  bytes: Buffer.byteLength(text),
  ...more,
})
const source: RecordingLine = {
  type: 'source',
  source: 0,
  name: 'acme',
  label: 'acme --mcp',
  kind: 'mcp-server',
  transport: 'stdio',
}

async function readAll(file: string) {
  const lines: RecordingLine[] = []
  let cut: number | undefined
  for await (const { line } of readRecording(file, { onCut: number => (cut = number) })) lines.push(line)
  return { lines, cut }
}

const write = (file: string, text: string) => {
  writeFileSync(file, text)
  return file
}

describe('recording file', () => {
  test('what is written is read again, with exact texts and the count of masked secrets', async ({
    folder,
  }) => {
    const file = join(folder, 'a.toolrec')
    const writer = new RecordingWriter(file, {
      by,
      mask: line =>
        line.type === 'message' && line.text.includes('hunter2')
          ? { line: { ...line, text: line.text.replace('hunter2', '•••') }, masked: 1 }
          : { line, masked: 0 },
    })
    writer.write(source)
    writer.write(
      message(
        1,
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":9007199254740993}}}',
      ),
    )
    writer.write(
      message(2, '{"jsonrpc":"2.0","id":1,"result":{"t":"hunter2\\u2028"}}', { direction: 'received' }),
    )
    writer.addMasked(2)
    expect(writer.close()).toEqual({ messages: 2, masked: 3 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { lines, cut } = await readAll(file)
    expect(cut).toBeUndefined()
    expect(lines.map(line => line.type)).toEqual(['header', 'source', 'message', 'message', 'end'])
    expect(lines.at(-1)).toMatchObject({ messages: 2, masked: 3 })
    const messages = lines.filter(line => line.type === 'message')
    expect(readRecordedCalls(messages)).toMatchObject([
      { tool: 'a', inputText: '{"n":9007199254740993}', answer: { text: '{"t":"•••\u2028"}' } },
    ])
  })

  test('lines are in the file while the recording goes on', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const writer = new RecordingWriter(file, { by })
    expect((await readAll(file)).lines.map(line => line.type)).toEqual(['header'])
    writer.write(source)
    await expect.poll(async () => (await readAll(file)).lines.length).toBe(2)
    writer.close()
  })

  test('a file that exists is only replaced if that is wanted', async ({ folder }) => {
    const file = write(join(folder, 'a.toolrec'), 'mine')
    expect(() => new RecordingWriter(file, { by })).toThrow(/exists already/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    new RecordingWriter(file, { by, force: true }).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await readAll(file)).lines.map(line => line.type)).toEqual(['header', 'end'])
    expect(() => new RecordingWriter(join(folder, 'no', 'a.toolrec'), { by })).toThrow(/could not be written/)
  })

  test('lines of an unknown type are left out', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const writer = new RecordingWriter(file, { by })
    writer.write(message(1, 'é'))
    writer.close()
    const [header = '', ...rest] = readFileSync(file, 'utf8').split(/(?<=\n)/)
    writeFileSync(file, [header, '{"type":"later","x":1}\n', ...rest].join(''))
    const { lines } = await readAll(file)
    expect(lines.map(({ type }) => type)).toEqual(['header', 'message', 'end'])
  })

  test('a last line that is cut at any byte is left out and reported', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const writer = new RecordingWriter(file, { by })
    writer.write(message(1, 'é'))
    writer.close()
    const whole = readFileSync(file)
    const lineStarts = [...whole.keys()].filter(at => at === 0 || whole[at - 1] === 10)
    for (let end = lineStarts[1] ?? 0; end <= whole.length; end += 1) {
      writeFileSync(join(folder, 'cut'), whole.subarray(0, end))
      const { lines, cut } = await readAll(join(folder, 'cut'))
      const started = lineStarts.filter(start => start < end).length
      expect(lines.length + (cut === undefined ? 0 : 1)).toBe(started)
      if (cut !== undefined) expect(cut).toBe(started)
    }
  })

  test.for([
    ['', 'it is empty'],
    ['{"type":"header","toolrec":1,"startedAt":"x","by":"y","ver', 'line 1 is not JSON'],
    ['{"tools":[]}\n', 'line 1 is not the header of a recording'],
    [`${JSON.stringify(source)}\n`, 'line 1 is not the header of a recording'],
    ['{"type":"header","toolrec":2,"startedAt":"x","by":"y","version":"z"}\n', 'line 1 is of version 2'],
  ])('%j is refused: %s', async ([text = '', problem], { folder }) => {
    const file = write(join(folder, 'a.toolrec'), text)
    await expect(readAll(file)).rejects.toMatchObject({
      code: 'recording-invalid',
      detail: expect.stringContaining(problem ?? ''),
    })
  })

  test('a broken line in the middle is named by its number; a missing file has a code of its own', async ({
    folder,
  }) => {
    const file = join(folder, 'a.toolrec')
    new RecordingWriter(file, { by }).close()
    appendFileSync(file, '{"type":\n\n{"type":"end","atMs":0,"messages":0,"masked":0}\n')
    await expect(readAll(file)).rejects.toThrow(/line 3 is not JSON/)
    await expect(readAll(join(folder, 'b'))).rejects.toMatchObject({ code: 'source-not-found' })
    await expect(readAll(folder)).rejects.toMatchObject({ code: 'recording-invalid' })
  })

  test.runIf(process.platform === 'linux')(
    'a full disk ends the recording with a reason, and never throws',
    async () => {
      const problems: string[] = []
      const writer = new RecordingWriter('/dev/full', {
        by,
        force: true,
        onProblem: problem => problems.push(problem.detail),
      })
      for (let seq = 1; seq < 10; seq += 1) writer.write(message(seq, 'x'.repeat(100_000)))
      writer.close()
      expect(problems).toEqual([expect.stringContaining('/dev/full could not be written')])
    },
  )
})
