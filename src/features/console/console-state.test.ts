import { expect, it } from 'vitest'
import type { TraceEntry } from '../../../core/script/trace.ts'
import { callCounts, foldRun, startConsoleRun } from './console-state.ts'

const entry: TraceEntry = {
  id: 1,
  command: 't',
  ref: 's/t',
  input: '{"a":1}',
  startMs: 5,
  durationMs: 0,
  status: 'running',
}
const start = startConsoleRun('t --a 1', 100)

it('foldRun: joins what one stream wrote, in the order of the events', () => {
  const run = foldRun(start, [
    { type: 'output', stream: 'stdout', text: 'a' },
    { type: 'output', stream: 'stdout', text: 'b\n' },
    { type: 'output', stream: 'stderr', text: 'e\n' },
    { type: 'output', stream: 'stdout', text: 'c\n' },
  ])
  expect(run.output.map(part => part.text)).toEqual(['ab\n', 'e\n', 'c\n'])
})

it('foldRun: keeps the newest state of each trace entry, and the state of its call', () => {
  const run = foldRun(start, [
    { type: 'trace', entry },
    { type: 'call', id: 1, event: { type: 'stderr', text: 'working\n' } },
    { type: 'trace', entry: { ...entry, status: 'result', durationMs: 7 } },
  ])
  expect(run.trace).toMatchObject([{ status: 'result', durationMs: 7 }])
  expect(run.calls.get(1)?.logs.chunks).toEqual([{ stream: 'stderr', text: 'working\n' }])
})

it('foldRun: begins a new line after an error', () => {
  const run = foldRun(start, [
    { type: 'output', stream: 'stderr', text: 'bash: x: command not found' },
    { type: 'output', stream: 'stdout', text: 'a' },
    { type: 'output', stream: 'stderr', text: 'b' },
  ])
  expect(run.output.map(part => part.text)).toEqual(['bash: x: command not found\n', 'a', 'b'])
})

it('callCounts: counts the calls that were made apart from those that were not', () => {
  const statuses = ['result', 'failure', 'refused', 'dry-run', 'cancelled', 'running', 'refused'] as const
  expect(callCounts(statuses.map(status => ({ ...entry, status })))).toEqual({ called: 4, notCalled: 2 })
})

it('foldRun: replaces drafts by the output at the end', () => {
  const running = foldRun(start, [{ type: 'draft', stream: 'stdout', text: 'leak\n' }])
  expect(running.drafts).toHaveLength(1)
  const over = foldRun(running, [
    { type: 'output', stream: 'stdout', text: 'right\n' },
    { type: 'end', end: { ending: 'finished', exitCode: 0, durationMs: 1 } },
  ])
  expect(over.drafts).toEqual([])
  expect(over.output).toEqual([{ stream: 'stdout', text: 'right\n' }])
})
