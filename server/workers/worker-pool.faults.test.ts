import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { WorkerPool } from './worker-pool.ts'

const file = fileURLToPath(new URL('./fixtures/thread.mjs', import.meta.url))
const timeoutMs = 20_000
let pool: WorkerPool<unknown, { readonly request: unknown }>
afterEach(() => pool.close())

describe('worker pool with hostile schemas', () => {
  test.each([
    ['of one source', () => 'hostile'],
    ['of eight sources', (index: number) => `hostile ${index}`],
    ['that name no source', () => undefined],
  ])('answers a good request behind eight endless ones %s before any of those ends', async (_, originOf) => {
    pool = new WorkerPool(file, 2, 8)
    let ended = 0
    for (let index = 0; index < 8; index++) {
      const origin = originOf(index)
      pool
        .request(() => 'hang', { timeoutMs, ...(origin !== undefined && { origin }) })
        .catch(() => {
          ended += 1
        })
    }
    expect(await pool.request(() => 'good', { timeoutMs, origin: 'good' })).toMatchObject({
      request: 'good',
    })
    expect(ended).toBe(0)
  })

  test('ends only the thread that exceeds its memory', async () => {
    pool = new WorkerPool(file, 1, 0, 32)
    await expect(pool.request(() => 'fill', { timeoutMs })).rejects.toMatchObject({ reason: 'ended' })
    expect(await pool.request(() => 'good', { timeoutMs })).toMatchObject({ request: 'good' })
  })
})
