import { expect, test } from 'vitest'
import type { Tool } from '../tool/tool.ts'
import { legalNames } from './legal-names.ts'

test('fifty thousand of one name are numbered in a moment', () => {
  const name = 'x'.repeat(70)
  const tool: Tool = { ref: `a/${name}`, source: 'a', name, index: 0, callable: true, inputSchema: {} }
  const start = process.cpuUsage()
  const made = legalNames(Array.from({ length: 50_000 }, () => tool))
  expect(new Set(made).size).toBe(50_000)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2_000)
})
