import { expect, it } from 'vitest'
import { isLoopback } from './loopback.ts'

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.3.4', '::1'])(
  'isLoopback: "%s" is this machine',
  host => {
    expect(isLoopback(host)).toBe(true)
  },
)

it.each([
  '',
  '0.0.0.0',
  '::',
  '10.127.0.0.1',
  '127.0.0.1.example.com',
  '127.example.com',
  'app.localhost',
  'localhost.example.com',
  'localhost:3000',
])('isLoopback: "%s" may be another machine', host => {
  expect(isLoopback(host)).toBe(false)
})
