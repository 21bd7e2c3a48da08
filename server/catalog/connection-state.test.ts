import { describe, expect, it } from 'vitest'
import {
  type ConnectionEvent,
  type ConnectionState,
  nextState,
  renewalWait,
  toSourceStatus,
} from './connection-state.ts'

const events: readonly ConnectionEvent[] = ['open', 'listRead', 'readFailed', 'wentDown', 'stop', 'close']

/** The state, how the page shows it, and the state after each event; `-` where the event is ignored. */
const table: readonly (readonly [ConnectionState, string, string])[] = [
  ['stopped', 'stopped', 'starting - - - stopped closed'],
  ['opening', 'opening', 'starting ready failed failed stopped closed'],
  ['starting', 'starting', 'starting ready failed failed stopped closed'],
  ['failed', 'failed', 'starting ready failed failed stopped closed'],
  ['restarting', 'starting', 'restarting ready degraded degraded stopped closed'],
  ['ready', 'ready', 'restarting ready degraded degraded stopped closed'],
  ['degraded', 'degraded', 'restarting ready degraded degraded stopped closed'],
  ['closed', 'stopped', '- - - - - -'],
]

describe('state of a connection', () => {
  it.each(table)('changes as the table says from "%s"', (state, status, after) => {
    expect(events.map(event => nextState(state, event) ?? '-').join(' ')).toBe(after)
    expect(toSourceStatus(state)).toBe(status)
  })
})

it('renewalWait: grows at each restart that the source causes itself, then ends; another change resets it', () => {
  const waits: number[] = []
  for (let wait = renewalWait(false, 0); wait !== undefined; wait = renewalWait(true, wait)) waits.push(wait)
  expect(waits).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750])
  expect(renewalWait(false, 15_750)).toBe(0)
})
