import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Version } from '../../../core/api/versions.ts'
import type { Handlers } from '../../api/local-backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const versions = Array.from({ length: 600 }, (_, index): Version => {
  const number = 600 - index
  const reference = `desk@${number}`
  return {
    reference,
    name: reference,
    number,
    kind: 'snapshot',
    labels: [],
    time: new Date(number * 60_000).toISOString(),
  }
})

test('timeline: shows older versions while there is a longer list, then says how to name the others', async () => {
  const handlers: Handlers = {
    'GET /api/sources/{name}/versions': async ({ query }) => {
      const limit = Number(query?.limit)
      return { versions: versions.slice(0, limit), more: versions.length > limit, kept: true }
    },
  }
  openPage(memoryBackend({ tools: ['greet'], handlers }), '/?about=desk')
  const rows = page.getByTestId('version')
  const older = page.getByRole('button', { name: 'Show older ones' })
  for (const count of [20, 100, 500]) {
    await expect.poll(() => rows.elements().length).toBe(count)
    if (count < 500) await older.click()
  }
  await expect.element(older).not.toBeInTheDocument()
  await expect
    .element(page.getByTestId('timeline'))
    .toHaveTextContent('for example desk@1 or git:REVISION:path')
})
