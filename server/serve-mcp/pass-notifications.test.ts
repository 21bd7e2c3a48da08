import { expect, it } from 'vitest'
import { LogQueue } from './pass-notifications.ts'

it('log queue: sends in order, and says how many messages a slow client has lost', async () => {
  const sent: unknown[] = []
  let read: () => void = () => {}
  const isRead = new Promise<void>(resolve => {
    read = resolve
  })
  const queue = new LogQueue(async (level, data) => {
    await isRead
    sent.push([level, data])
  })
  for (let index = 0; index < 5_000; index++) queue.push('info', index, undefined)
  read()
  await queue.sent()
  expect(sent.slice(0, -1)).toEqual(Array.from({ length: 1_000 }, (_, index) => ['info', index]))
  expect(sent.at(-1)).toEqual(['warning', expect.stringContaining('4000 log messages are left out')])
  queue.push('error', 'next', undefined)
  await queue.sent()
  expect(sent.at(-1)).toEqual(['error', 'next'])
})
