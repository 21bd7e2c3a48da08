import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildAppPolicy } from './app-policy.ts'

const directive = (header: string, name: string) =>
  header
    .split('; ')
    .find(each => each.startsWith(`${name} `))
    ?.slice(name.length + 1)

it('app policy: allows only inline code without a declaration', () => {
  for (const csp of [
    undefined,
    null,
    {},
    [],
    'https://a.example.com',
    { connectDomains: 'https://a.example.com' },
  ]) {
    const { header, refused } = buildAppPolicy(csp, [])
    expect(directive(header, 'default-src')).toBe("'none'")
    expect(directive(header, 'connect-src')).toBe("'none'")
    expect(directive(header, 'frame-src')).toBe("'none'")
    expect(directive(header, 'form-action')).toBe("'none'")
    expect(header).not.toMatch(/https?:|\*/)
    expect(refused).toEqual([])
  }
})

it('app policy: opens the directives of each list', () => {
  const { header } = buildAppPolicy(
    {
      connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'],
      resourceDomains: ['https://*.cdn.example.com'],
      frameDomains: ['https://player.example.com'],
      baseUriDomains: ['https://base.example.com'],
    },
    [],
  )
  expect(directive(header, 'connect-src')).toBe('https://api.example.com wss://live.example.com:8443')
  for (const name of ['script-src', 'style-src', 'img-src', 'font-src', 'media-src'])
    expect(directive(header, name)).toContain('https://*.cdn.example.com')
  expect(directive(header, 'frame-src')).toBe('https://player.example.com')
  expect(directive(header, 'base-uri')).toBe('https://base.example.com')
})

it('app policy: refuses what would open more than one named server', () => {
  const bad = [
    'https://a.example.com; script-src *',
    'https://a.example.com https://b.example.com',
    'https://a.example.com\nscript-src *',
    '*',
    'https://*',
    'https:',
    'https://*.com',
    'https://a.*.example.com',
    "'unsafe-eval'",
    'data:',
    'blob:',
    'javascript://x',
    'http://localhost:3000',
    'http://app.localhost',
    'http://127.0.0.1:4477',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::1]:4477',
    'http://192.168.0.1',
    'http://printer',
    'http://box.local',
    'https://tools.example.com',
    'https://TOOLS.example.com:444',
    'https://*.example.com',
    'https://user@other.example.org',
    'https://other.example.org/path',
    7,
    null,
  ]
  const { header, refused } = buildAppPolicy({ connectDomains: bad }, ['tools.example.com:8443'])
  expect(directive(header, 'connect-src')).toBe("'none'")
  expect(refused.map(({ domain }) => domain)).toEqual(bad.map(String))
  const socket = buildAppPolicy({ resourceDomains: ['wss://a.example.com'] }, [])
  expect(socket.refused).toHaveLength(1)
})

it('app policy: any declaration leaves the directives and their number unchanged', () => {
  const names = (header: string) => header.split(';').map(each => each.trim().split(' ')[0])
  const empty = names(buildAppPolicy({}, []).header)
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.domain(), fc.ipV4(), fc.anything())),
      given => {
        const csp = {
          connectDomains: given,
          resourceDomains: given,
          frameDomains: given,
          baseUriDomains: given,
        }
        const { header } = buildAppPolicy(csp, [])
        expect(names(header)).toEqual(empty)
        expect(header).toMatch(/^[\x20-\x7e]+$/)
      },
    ),
  )
})

it('app policy: a list of many domains is cut', () => {
  const connectDomains = Array.from({ length: 1_000 }, (_, index) => `https://a${index}.example.com`)
  const { domains, refused } = buildAppPolicy({ connectDomains }, [])
  expect([domains.connectDomains.length, refused.length]).toEqual([50, 50])
})
