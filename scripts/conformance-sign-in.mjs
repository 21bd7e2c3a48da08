// The sign-ins of the official conformance suite.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Does what a user does on the page: signs in, calls the tool, and signs in again if it needs more rights. */
export async function signInAndCall(program, address) {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-conformance-'))
  const { client_id: clientId, client_secret: secret } = JSON.parse(
    process.env.MCP_CONFORMANCE_CONTEXT ?? '{}',
  )
  const registered = async () => ({
    clientId,
    clientSecret: `\${env:CLIENT_SECRET}`,
    issuer: await fetchIssuer(address),
  })
  const signIn =
    clientId === undefined
      ? { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }
      : await registered()
  const config = join(folder, 'toolscope.json')
  writeFileSync(config, JSON.stringify({ sources: { remote: { mcp: { url: address, signIn } } } }))
  const args = [program, 'serve', '--no-open', '--port', '0', '--config', config]
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TOOLSCOPE_DATA_DIR: folder, CLIENT_SECRET: secret },
  })
  try {
    const ready = await new Promise((resolve, reject) => {
      server.once('exit', code => reject(new Error(`toolscope ended with ${code}`)))
      server.stdout.on('data', text => {
        const found = /ready: (\S+)/.exec(String(text))?.[1]
        if (found !== undefined) resolve(new URL(found))
      })
    })
    const request = async (path, body) => {
      const headers = {
        authorization: `Bearer ${ready.searchParams.get('token')}`,
        'content-type': 'application/json',
      }
      const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(new URL(path, ready), { headers, ...how })).text()
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const { sources } = JSON.parse(await request('/api/sources'))
      console.log(sources[0].status, sources[0].error?.detail ?? '')
      if (sources[0].signIn === 'needed') {
        const { url, error } = JSON.parse(await request('/api/sources/remote/sign-in', {}))
        if (error !== undefined) throw new Error(`${error.title}: ${error.detail}`)
        // The suite's authorization server does not ask the user, and redirects the browser immediately.
        if (url !== undefined) console.log((await fetch(url)).status)
      } else {
        const lines = (await request('/api/invocations', { ref: 'remote/test-tool', input: {} })).trim()
        const ending = JSON.parse(lines.split('\n').at(-1))
        console.log(ending.type, ending.message ?? '')
        if (ending.type === 'result') return
        if (ending.reason !== 'sign-in-needed') break
      }
    }
    process.exitCode = 1
  } catch (thrown) {
    console.error(thrown)
    process.exitCode = 1
  } finally {
    server.removeAllListeners('exit')
    server.kill()
    await once(server, 'close')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the authorization server that the user of a registered client knows. */
async function fetchIssuer(url) {
  const { origin, pathname } = new URL(url)
  const metadata = await (await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)).json()
  return metadata.authorization_servers[0]
}
