import { describe, expect, it } from 'vitest'
import { describeTask, getTaskSupport, readTask } from './task.ts'

describe('readTask', () => {
  it('reads the field names of both eras', () => {
    const common = {
      taskId: 'a',
      status: 'working',
      statusMessage: 'Sorting',
      createdAt: '2026-11-25T20:00:00Z',
    }
    const expected = { ...common, ttlMs: 60_000, pollIntervalMs: 500 }
    expect(readTask({ ...common, ttl: 60_000, pollInterval: 500 })).toEqual(expected)
    expect(readTask({ resultType: 'task', ...common, ttlMs: 60_000, pollIntervalMs: 500 })).toEqual(expected)
  })

  it('leaves out fields of a wrong type, cuts a long message, and reads nothing without an id and a known status', () => {
    expect(
      readTask({
        taskId: 'a',
        status: 'failed',
        ttl: null,
        pollInterval: -1,
        statusMessage: 'x'.repeat(9_000),
      }),
    ).toEqual({ taskId: 'a', status: 'failed', statusMessage: 'x'.repeat(2_000) })
    for (const value of [
      undefined,
      'task',
      {},
      { taskId: '', status: 'working' },
      { taskId: 'x'.repeat(1_001), status: 'working' },
      { taskId: 'a', status: 'asleep' },
    ])
      expect(readTask(value)).toBeUndefined()
  })
})

it('describeTask: gives the status and the message of the server', () => {
  expect(describeTask({ taskId: 'a', status: 'input_required' })).toBe('input required')
  expect(describeTask({ taskId: 'a', status: 'working', statusMessage: 'Sorting' })).toBe('working: Sorting')
})

it('getTaskSupport: a tool that does not mention tasks forbids them', () => {
  expect(getTaskSupport({ extra: { execution: { taskSupport: 'required' } } })).toBe('required')
  for (const extra of [{}, { execution: 'yes' }, { execution: { taskSupport: 'maybe' } }])
    expect(getTaskSupport({ extra })).toBe('forbidden')
})
