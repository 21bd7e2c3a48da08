/** Resources that all tests of a run share, made in vitest's own process (vite.config.ts). */
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { installIncur } from '../../scripts/incur-fixture.mjs'
import { type PostgresServer, startPostgres } from '../store/postgres.testkit.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  installIncur()
  let postgres: Promise<PostgresServer> | undefined
  // Started when the first test file needs it: most small runs do not.
  const server = createServer((_request, response) => {
    postgres ??= startPostgres()
    postgres.then(
      ({ url }) => response.end(url),
      thrown => response.writeHead(500).end(String(thrown)),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  project.provide('postgresAddress', `http://127.0.0.1:${port}/`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await (await postgres)?.stop()
    rmSync(String(project.config.env.TOOLSCOPE_DATA_DIR), { recursive: true, force: true })
  }
}
