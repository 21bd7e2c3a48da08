/**
 * Checks compose.people.yaml: the proxy asks for a name and a password, no client can name somebody else, and the page of
 * each person shows what that person may do, until the person is revoked.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumLaunchOptions } from './chromium.mjs'

const greeting = { ref: 'acme/api greet', input: { name: 'Ada' } }

/** `ask(path, body, headers)` sends a request through the proxy; `runCommand` runs the image with other words. */
export async function checkPeople({ running, runCommand, ask, folder, origin, proxySecret, say }) {
  const passwords = { ada: 'the password of ada', bob: 'the password of bob', cleo: 'the password of cleo' }
  writeUsers(folder, passwords)
  await runToEnd(runCommand, ['people', 'add', 'ada', '--rights', 'read,call'])
  const token = await runToEnd(runCommand, ['people', 'add', 'bob', '--sources', 'vault'])
  await expectRefusals({ ask, passwords, proxySecret, bobsToken: /tsp_\S+/.exec(token)?.[0] })
  say('compose: the proxy signs people in, and no client can name somebody else')

  const browser = await chromium.launch({
    ...chromiumLaunchOptions(),
    args: [
      ...chromiumLaunchOptions().args,
      `--host-resolver-rules=MAP ${new URL(origin).hostname} 127.0.0.1`,
    ],
  })
  try {
    const openPage = async username => {
      const httpCredentials = { username, password: passwords[username] }
      const context = await browser.newContext({ httpCredentials, ignoreHTTPSErrors: true })
      const page = await context.newPage()
      await page.goto(origin)
      return page
    }
    const ada = await openPage('ada')
    await ada.getByTitle('You are ada: read, call; all sources').waitFor()
    await ada.goto(`${origin}/?tool=${encodeURIComponent(greeting.ref)}`)
    await ada.getByTestId('tool-form').getByRole('textbox').first().fill('Ada')
    await ada.getByRole('button', { name: /^Call/ }).first().click()
    await ada.getByText('Good day, Ada').first().waitFor()
    await ada.getByRole('button', { name: 'Add source' }).and(ada.locator('[aria-disabled=true]')).waitFor()
    await ada.goto(`${origin}/history`)
    await ada.getByRole('region', { name: 'Calls' }).getByRole('listitem').first().waitFor()

    const bob = await openPage('bob')
    await bob.getByTitle('You are bob: read; vault').waitFor()
    await bob.goto(`${origin}/?tool=${encodeURIComponent('vault/api greet')}`)
    const call = bob.getByRole('button', { name: /^Call/ }).first()
    await call.and(bob.locator('[aria-disabled=true][title*="bob has no right"]')).waitFor()
    const sources = bob.getByRole('navigation', { name: 'Sources' })
    await sources.getByRole('button', { name: /^vault/ }).waitFor()
    if ((await sources.getByRole('button', { name: /^acme/ }).count()) !== 0)
      throw new Error('the page of bob names a source that does not exist for bob')
    const cleo = await openPage('cleo')
    await cleo.getByText('the proxy signed in "cleo", who may not use this server').waitFor()
    say('compose: the page of each person shows what that person may do')

    await runToEnd(runCommand, ['people', 'revoke', 'bob'])
    const isRefused = async () => (await ask('/api/sources', undefined, basic('bob', passwords.bob))).status
    for (const end = Date.now() + 30_000, statuses = []; ; ) {
      statuses.push(await isRefused())
      // Both replicas answer in turn.
      if (statuses.slice(-4).every(status => status === 403) && statuses.length >= 4) break
      if (Date.now() > end) throw new Error(`bob was revoked, and is answered ${statuses.slice(-4)}`)
    }
    await bob.reload()
    await bob.getByText('the proxy signed in "bob", who may not use this server').waitFor()
    say('compose: the page of a revoked person is refused')
  } finally {
    await browser.close()
  }
  for (const { name, output } of running)
    for (const secret of [proxySecret, ...Object.values(passwords)])
      if (output().includes(secret)) throw new Error(`${name} wrote a secret to its log`)
}

/** Writes the file that `htpasswd` makes, as docs/team.md says. */
function writeUsers(folder, passwords) {
  mkdirSync(join(folder, 'sign-in'), { recursive: true })
  const lines = Object.entries(passwords).map(([name, password]) => {
    const { stdout } = spawnSync('openssl', ['passwd', '-apr1', '-stdin'], {
      input: `${password}\n`,
      encoding: 'utf8',
    })
    return `${name}:${stdout.trim()}\n`
  })
  writeFileSync(join(folder, 'sign-in/users'), lines.join(''))
}

/** Runs a command of the image, and returns what it wrote. */
async function runToEnd(runCommand, command) {
  const { child, output } = await runCommand(command)
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command.join(' ')}: exit ${code}, ${output()}`)
  return output()
}

const basic = (name, password) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/** Each attempt is sent twice, because each replica answers every second request. */
async function expectRefusals({ ask, passwords, proxySecret, bobsToken }) {
  const origin = { origin: 'https://tools.example.com' }
  const ada = basic('ada', passwords.ada)
  const asAda = { 'x-forwarded-user': 'ada', 'x-proxy-secret': proxySecret }
  const byToken = { authorization: `Bearer ${bobsToken}` }
  const attempts = [
    ['without a password', '/api/sources', undefined, {}, 401],
    ['with a wrong password', '/api/sources', undefined, basic('ada', passwords.bob), 401],
    ['with headers of the proxy and no password', '/api/sources', undefined, asAda, 401],
    [
      'with headers of the proxy and a junk token',
      '/api/sources',
      undefined,
      { ...asAda, authorization: 'Bearer x' },
      401,
    ],
    ['of a user that is not a person', '/api/sources', undefined, basic('cleo', passwords.cleo), 403],
    ['a call of bob', '/api/invocations', greeting, { ...basic('bob', passwords.bob), ...origin }, 403],
    [
      'a call of bob as ada',
      '/api/invocations',
      greeting,
      { ...basic('bob', passwords.bob), ...origin, ...asAda },
      403,
    ],
    ['a call of bob by token as ada', '/api/invocations', greeting, { ...byToken, ...asAda }, 403],
    ['a call without Origin', '/api/invocations', greeting, ada, 403],
    ['figures for ada', '/metrics', undefined, ada, 403],
    ['the list for ada', '/api/sources', undefined, ada, 200],
    ['the list for bob by token', '/api/sources', undefined, byToken, 200],
    ['a call of ada', '/api/invocations', greeting, { ...ada, ...origin }, 200],
    ['a call of the operator', '/api/invocations', greeting, undefined, 200],
  ]
  for (const [what, path, body, headers, expected] of [...attempts, ...attempts]) {
    const { status, text } = await ask(path, body, headers)
    if (status !== expected)
      throw new Error(`${what}: ${status} instead of ${expected}: ${text.slice(0, 500)}`)
    const names =
      headers === byToken && status === 200 ? JSON.parse(text).sources.map(({ name }) => name) : []
    if (names.includes('acme')) throw new Error(`${what} names a source that does not exist for bob`)
  }
}
