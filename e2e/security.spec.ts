import { request as httpRequest } from 'node:http'
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** A request with exactly these headers: fetch would set Host and Origin by itself. */
function ask(url: string, headers: Record<string, string>, method = 'GET', body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const cookieOf = (answer: Answer) => String(answer.headers['set-cookie']).split(';')[0] ?? ''

test.describe('server', () => {
  test('refuses a foreign Host with 403 on every route', async ({ toolscope: { origin, token } }) => {
    for (const path of ['/', '/api/health', '/api/tools', '/assets/x.js'])
      for (const host of ['evil.example', '127.0.0.1', 'localhost:1'])
        expect((await ask(`${origin}${path}`, { host, authorization: `Bearer ${token}` })).status).toBe(403)
  })

  test('refuses a foreign Origin with 403, even with the token', async ({ toolscope: { origin, token } }) => {
    for (const foreign of [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      origin.replace('http', 'https'),
    ]) {
      const headers = { origin: foreign, authorization: `Bearer ${token}` }
      expect((await ask(`${origin}/api/tools`, headers)).status).toBe(403)
    }
  })

  test('answers all but the health check with 401 when the token is missing or wrong', async ({
    toolscope: { origin },
  }) => {
    expect((await ask(`${origin}/api/health`, {})).status).toBe(200)
    for (const path of ['/', '/api/tools', '/api/sources', '/api/events', '/favicon.svg', '/?token=wrong'])
      expect((await ask(`${origin}${path}`, {})).status, path).toBe(401)
    const post = await ask(`${origin}/api/invocations`, { 'content-type': 'application/json' }, 'POST', '{}')
    expect(post.status).toBe(401)
  })

  test('turns the token into a cookie and removes it from the address', async ({
    toolscope: { origin, token },
  }) => {
    const answer = await ask(`${origin}/tools?q=a&token=${token}`, {})
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe('/tools?q=a')
    const cookie = String(answer.headers['set-cookie'])
    // A name of this server's own: browsers share cookies between the ports of a host.
    expect(cookie).toMatch(/^toolscope-[\w-]{12}=[\w-]{32,};/)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).not.toContain(token)
  })

  test('accepts the cookie only from its own page', async ({ toolscope: { origin, token } }) => {
    const cookie = cookieOf(await ask(`${origin}/?token=${token}`, {}))
    const status = async (site?: string) => {
      const headers: Record<string, string> =
        site === undefined ? { cookie } : { cookie, 'sec-fetch-site': site }
      return (await ask(`${origin}/api/tools`, headers)).status
    }
    expect(await status('same-origin')).toBe(200)
    expect(await status('none')).toBe(200)
    for (const site of ['same-site', 'cross-site', undefined]) expect(await status(site)).toBe(401)
  })

  test('requires an Origin for a change by cookie', async ({ toolscope: { origin, token } }) => {
    const cookie = cookieOf(await ask(`${origin}/?token=${token}`, {}))
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const body = JSON.stringify({ ref: 'nope/nope', input: {} })
    expect((await ask(`${origin}/api/invocations`, headers, 'POST', body)).status).toBe(403)
    expect((await ask(`${origin}/api/invocations`, { ...headers, origin }, 'POST', body)).status).toBe(404)
  })

  test('refuses a type of body that another site could send', async ({ toolscope: { origin, token } }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
    expect((await ask(`${origin}/api/invocations`, headers, 'POST', '{}')).status).toBe(400)
  })

  test('sends the security headers with every answer, also with a refusal', async ({
    toolscope: { origin, token },
  }) => {
    const answers = [
      await ask(`${origin}/`, { authorization: `Bearer ${token}` }),
      await ask(`${origin}/api/tools`, {}),
      await ask(`${origin}/`, { host: 'evil.example' }),
    ]
    expect(answers.map(answer => answer.status)).toEqual([200, 401, 403])
    for (const { headers } of answers) {
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toContain('unsafe-eval')
      expect(/script-src[^;]*unsafe-inline/.test(policy)).toBe(false)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
  })

  test('serves static files compressed and with an immutable cache', async ({
    toolscope: { origin, token },
  }) => {
    const authorization = `Bearer ${token}`
    const page = await ask(`${origin}/`, { authorization })
    const script = /src="\.?(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? ''
    for (const encoding of ['br', 'gzip']) {
      const answer = await ask(`${origin}${script}`, { authorization, 'accept-encoding': encoding })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers['cache-control']).toContain('immutable')
    }
  })
})

test('session: keeps a tab working over a restart, and says how to sign in again after a new token', async ({
  page,
  context,
  folder,
}) => {
  const serve = (...more: readonly string[]) =>
    startToolscope([...more, 'node', '--', acme], folder, { TOOLSCOPE_DATA_DIR: folder })
  const first = await serve()
  const port = ['--port', new URL(first.origin).port]
  await page.goto(first.urlOf('/?tool=acme/api greet'))
  const name = page.getByTestId('tool-form').getByRole('textbox', { name: 'name', exact: true })
  await name.fill('Ada')
  await expect(page).toHaveTitle('api greet · acme · Toolscope')

  await first.stop()
  await expect(page.getByText('The server does not answer; trying again')).toBeVisible()
  const second = await serve(...port)
  expect(second.token).toBe(first.token)
  await expect(page.getByText('The server does not answer; trying again')).toBeHidden()
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result')).toContainText('Good day, Ada')

  await second.stop()
  const third = await serve('--new-token', ...port)
  const expired = page.getByRole('alert').filter({ hasText: 'Session expired' })
  await expect(expired).toContainText('Open the link printed in the terminal')
  await expectNoViolations(page, 'an expired session')
  const other = await context.newPage()
  await other.goto(second.urlOf('/'))
  await expect(other.getByRole('heading', { name: 'The token is missing' })).toBeVisible()
  await other.goto(third.urlOf('/nowhere'))
  await expect(other.getByText('No page at /nowhere')).toBeVisible()
  await expect(expired).toBeHidden()
  await expect(name).toHaveValue('Ada')
  await other.getByRole('link', { name: 'Tools', exact: true }).click()
  await expect(other.getByTestId('catalog-row').first()).toBeVisible()
  await other.close()
  await third.stop()
})
