/** Reads what a tap recorded, and runs programs with and without it. */
import { spawn } from 'node:child_process'
import { readRecordedCalls } from '../../core/wire/recorded-calls.ts'
import type { RecordedMessage, RecordedSource } from '../../core/wire/recording.ts'
import { program } from '../../scripts/toolscope-program.ts'
import { readRecording } from '../wire/recording-file.ts'

/** Returns the words of `toolscope tap -o FILE …`. */
export const tapWords = (file: string, ...words: readonly string[]) => [
  process.execPath,
  program,
  'tap',
  '-o',
  file,
  ...words,
]

export async function readTap(file: string) {
  const messages: RecordedMessage[] = []
  let source: RecordedSource | undefined
  let masked: number | undefined
  for await (const { line } of readRecording(file)) {
    if (line.type === 'message') messages.push(line)
    if (line.type === 'source') source = line
    if (line.type === 'end') masked = line.masked
  }
  return { messages, source, masked, calls: readRecordedCalls(messages) }
}

export interface StreamsRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: Buffer
  readonly stderr: string
}

/**
 * Runs a command, writes each chunk of `input` when the one before it is written, closes stdin, and waits for the end.
 * `answer` in the input waits until there is output.
 */
export function runStreams(
  [file = '', ...args]: readonly string[],
  input: readonly (Buffer | 'answer')[],
  environment: NodeJS.ProcessEnv = {},
): Promise<StreamsRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: { ...process.env, ...environment } })
    const stdout: Buffer[] = []
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout: Buffer.concat(stdout), stderr }))
    child.stdin.on('error', () => {})
    const write = (at: number) => {
      const chunk = input[at]
      if (chunk === undefined) child.stdin.end()
      else if (chunk === 'answer') child.stdout.once('data', () => write(at + 1))
      else child.stdin.write(chunk, () => setImmediate(write, at + 1))
    }
    write(0)
  })
}
