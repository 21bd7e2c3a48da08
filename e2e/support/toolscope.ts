/** Tests of the page of the built program, which a worker starts once and ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { project } from '../../scripts/project.mjs'
import { acme, type Running, startToolscope } from '../../scripts/toolscope-program.ts'

/** A published MCP server of the development dependencies. */
export const publishedServer = (name: string) =>
  project(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)

const makeFolder = () => mkdtempSync(join(tmpdir(), 'toolscope-e2e-'))

/**
 * A test with `toolscope`, which serves the example program to all tests of a worker, and `folder`, an empty
 * temporary folder of each test.
 */
export const test = base.extend<{ folder: string }, { toolscope: Running }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  folder: async ({}, use) => {
    const folder = makeFolder()
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  toolscope: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    async ({}, use) => {
      const running = await startToolscope(['node', '--', acme])
      await use(running)
      await running.stop()
    },
    { scope: 'worker' },
  ],
})

/**
 * A test with `served`: what `start` made of an empty folder, once for all tests of the file that calls this. No fixture
 * of the worker: Playwright starts another worker and another browser for each set of those.
 */
export function testServed<Served extends Pick<Running, 'stop'>>(start: (folder: string) => Promise<Served>) {
  let served: (Served & { readonly serverFolder: string }) | undefined
  test.beforeAll(async () => {
    const serverFolder = makeFolder()
    served = { ...(await start(serverFolder)), serverFolder }
  })
  test.afterAll(async () => {
    await served?.stop()
    if (served !== undefined) rmSync(served.serverFolder, { recursive: true, force: true })
  })
  return test.extend<{ served: Served & { readonly serverFolder: string } }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    served: async ({}, use) => {
      if (served === undefined) throw new Error('The server of this file did not start.')
      await use(served)
    },
  })
}

export { expect }
