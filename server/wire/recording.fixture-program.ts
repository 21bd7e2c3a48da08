/**
 * Writes a recording as fast as it can, or reads one: the arguments are `write FILE BYTES` and `read FILE`. While it
 * writes, it prints the number of each message that is at least a second old. At the end it prints one line of JSON with
 * the greatest resident memory in bytes.
 */
import { readFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { RecordingWriter, readRecording } from './recording-file.ts'

const [mode = '', file = '', bytes = '0'] = process.argv.slice(2)
const { messages, isCut } = mode === 'write' ? await write(Number(bytes)) : await read()
const memoryBytes = readPeakMemory()
process.stdout.write(`${JSON.stringify({ messages, isCut, memoryBytes })}\n`)

async function write(limit: number) {
  const writer = new RecordingWriter(file, { by: 'test' })
  const written: { readonly seq: number; readonly at: number }[] = []
  process.stdout.write('0\n')
  let seq = 0
  for (let size = 0; size < limit; size = seq % 1_000 === 0 ? statSync(file).size : size) {
    seq += 1
    const text = seq % 500 === 0 ? 'é'.repeat(500_000) : `{"n":${seq},"t":"${'x'.repeat(seq % 3_000)}"}`
    const length = Buffer.byteLength(text)
    const parts = { direction: 'sent', part: 'message', text, bytes: length } as const
    writer.write({ type: 'message', source: 0, seq, atMs: seq, ...parts })
    if (seq % 50 !== 0) continue
    written.push({ seq, at: performance.now() })
    await setTimeout(0)
    for (
      let first = written[0];
      first !== undefined && performance.now() - first.at > 1_000;
      first = written[0]
    ) {
      process.stdout.write(`${first.seq}\n`)
      written.shift()
    }
  }
  writer.close()
  return { messages: seq, isCut: false }
}

async function read() {
  let messages = 0
  let isCut = false
  const onCut = () => {
    isCut = true
  }
  for await (const { line } of readRecording(file, { onCut })) if (line.type === 'message') messages += 1
  return { messages, isCut }
}

/** Linux counts the memory of the parent in `maxRSS`, because fork comes before exec; VmHWM begins with the program. */
function readPeakMemory(): number {
  const { maxRSS } = process.resourceUsage()
  if (process.platform !== 'linux') return maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes ?? maxRSS) * 1024
}
