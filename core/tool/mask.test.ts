import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMasker, mask, maskText, maskWords, secretsOfAddress, secretValues } from './mask.ts'

const shownOf = (...words: string[]) => maskWords(words).visible.join(' ')

describe('maskWords', () => {
  it.each([
    [['s', '--api-key=xyz-123'], 's --api-key=•••'],
    [['s', '--token', 'xyz-123', '--verbose'], 's --token ••• --verbose'],
    [['s', '-token', 'xyz-123'], 's -token •••'],
    [['s', '--access-token=a=b=c'], 's --access-token=•••'],
    [['env', 'API_KEY=xyz-123', 's'], 'env API_KEY=••• s'],
    [['s', '--header', 'Authorization: Bearer abc.def'], 's --header Authorization: Bearer •••'],
    [['s', '-H', 'X-Api-Key: xyz'], 's -H X-Api-Key: •••'],
    [['s', 'Authorization:Basic YTpi'], 's Authorization:Basic •••'],
    [['s', 'https://ada:pw@db.example/x'], 's https://•••@db.example/x'],
    [['s', '--url=postgres://ada:pw@db.example/x'], 's --url=postgres://•••@db.example/x'],
    [['s', 'https://a.example/mcp?api_key=xyz&page=2'], 's https://a.example/mcp?api_key=•••&page=2'],
    [['s', '{"token":"xyz","page":"2"}'], 's {"token":"•••","page":"2"}'],
    [['s', `ghp_${'a'.repeat(36)}`], 's •••'],
    [['s', `--with=eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl`], 's --with=•••'],
    [['s', '--password', 'a b'], 's --password •••'],
  ])('shows %j as %s', (words, shown) => expect(shownOf(...words)).toBe(shown))

  it.each([
    [['node', 'server.js', '--port', '8808', '--name=ada']],
    [['s', '--token-file', '/run/secrets/token']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a configuration's own way to name a variable
    [['s', '--token', '${env:TOKEN}', '--api-key=$KEY']],
    [['s', '--max-tokens', '100', '--tokenizer=gpt']],
    [['s', 'https://a.example/mcp?page=2#top', '-H', 'Accept: text/plain']],
    [['s', '--token', '--verbose']],
  ])('hides nothing in %j', words => {
    expect(maskWords(words)).toEqual({ visible: words, secrets: [] })
  })

  const value = fc.stringMatching(/^[a-zA-Z0-9_.~+/]{6,40}$/).map(text => `Zq${text}`)
  const places: ((secret: string) => string[])[] = [
    secret => [`--api-key=${secret}`],
    secret => ['--client-secret', secret],
    secret => ['-H', `Authorization: Bearer ${secret}`],
    secret => [`https://a.example/?access_token=${encodeURIComponent(secret)}`],
    secret => [`MY_PASSWORD=${secret}`],
    secret => [`{"apiKey":"${secret}"}`],
  ]
  it('never shows a value at a secret location, and maskText hides it in a text', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(...places), fc.string(), (secret, place, noise) => {
        const { visible: shown, secrets } = maskWords(['program', ...place(secret)])
        expect(shown.join(' ')).not.toContain(secret)
        const [known = ''] = secrets
        expect(decodeURIComponent(known)).toBe(secret)
        expect(maskText(`${noise} ${known} ${noise}`, secrets)).not.toContain(known)
      }),
    )
  })
})

describe('secretValues and secretsOfAddress', () => {
  it('give the values that have to stay hidden', () => {
    const record = {
      Authorization: 'Bearer abc.def',
      'X-Api-Key': 'k-123',
      DATABASE_URL: 'postgres://ada:pw12@db/x',
      Accept: 'text/plain',
      TOKEN_FILE: '/run/token',
    }
    expect(secretValues(record)).toEqual(['abc.def', 'k-123', 'pw12'])
    expect(secretsOfAddress('https://ada:pw12@a.example/mcp?token=abc%20d&page=2')).toEqual([
      'pw12',
      'abc%20d',
      'abc d',
    ])
    expect(secretsOfAddress('no address')).toEqual([])
  })
})

describe('text masker', () => {
  it.each(['hunter2"\\é/ü', 'plain-secret', 'ünï ✓ 🗝', 'a', '\ud800half'])(
    'hides %j in each spelling, unless it is shorter than 4 characters',
    secret => {
      const json = JSON.stringify(secret)
      const forms = [secret, json, JSON.stringify(json), Buffer.from(secret).toString('base64')]
      const isTooShort = secret.length < 4
      if (secret.isWellFormed()) forms.push(encodeURIComponent(secret))
      else forms.pop()
      for (const form of forms) expect(createMasker([secret])(`<${form}>`).includes(mask)).toBe(!isTooShort)
    },
  )

  it('hides a secret inside base64 with anything around it, and in the query of a URL', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }),
        fc.string(),
        fc.string(),
        fc.constantFrom('base64' as const, 'base64url' as const),
        (secret, before, after, encoding) => {
          const text = Buffer.from(`${before}${secret}${after}`).toString(encoding)
          expect(createMasker([secret])(text)).toContain(mask)
          const url = new URLSearchParams({ secret: `p/d ${secret}` }).toString()
          expect(createMasker([`p/d ${secret}`])(url)).toContain(mask)
        },
      ),
    )
  })

  it('hides known secrets, the longest first, and what looks like a secret', () => {
    const text = `refused abc-def for abc; Authorization: Bearer qqqq.wwww at http://u:p@h/x, key sk-${'x'.repeat(20)}`
    expect(maskText(text, ['abc', 'abc-', 'abc-def'])).toBe(
      'refused ••• for abc; Authorization: Bearer ••• at http://•••@h/x, key •••',
    )
  })

  it.each([
    'unexpected token: }',
    'a bearer of news',
    'basic settings',
    'GET /a?page=2',
    'see https://a.example/b@c',
  ])('does not change %s', text => expect(maskText(text, [])).toBe(text))

  it('takes less than 2 seconds for long texts that almost match', () => {
    const started = process.cpuUsage()
    for (const piece of ['http://', 'eyJaaaaaaaaa.', 'Bearer ', '?a', '"token":"\\'])
      maskText(piece.repeat(200_000 / piece.length), ['zzzz'])
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })
})
