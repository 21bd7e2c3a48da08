import { expect, test } from 'vitest'
import type { Tool } from '../tool/tool.ts'
import { legalNames } from './legal-names.ts'

test('legalNames: numbers 50,000 equal names in less than 2 seconds', () => {
  const name = 'x'.repeat(70)
  const tool: Tool = { ref: `a/${name}`, source: 'a', name, index: 0, callable: true, inputSchema: {} }
  const start = process.cpuUsage()
  const made = legalNames(Array.from({ length: 50_000 }, () => tool))
  expect(new Set(made).size).toBe(50_000)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2_000)
})
