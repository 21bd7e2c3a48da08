import { expect, it } from 'vitest'
import { readWebAddress } from './web-address.ts'

const own = ['http://127.0.0.1:4477', 'http://localhost:4478', 'https://tools.example.com']

it('readWebAddress: returns an address of the web as the browser opens it', () => {
  expect(readWebAddress('https://example.com/?a=1', own)).toBe('https://example.com/?a=1')
  expect(readWebAddress('HTTP://EXAMPLE.com', own)).toBe('http://example.com/')
  expect(readWebAddress('http://127.0.0.1:3000/', own)).toBe('http://127.0.0.1:3000/')
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,a', '/path', ''])
    expect(readWebAddress(url, own), url).toBeUndefined()
})

it('readWebAddress: refuses the addresses of Toolscope by each name of the machine', () => {
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '127.1',
    '127.9.9.9',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    'a.localhost',
    'localhost.',
  ])
    for (const port of [4477, 4478])
      expect(readWebAddress(`http://${host}:${port}/?tool=a`, own), host).toBeUndefined()
  expect(readWebAddress('https://tools.example.com/', own)).toBeUndefined()
  expect(readWebAddress('https://tools.example.com:443/a', own)).toBeUndefined()
})
