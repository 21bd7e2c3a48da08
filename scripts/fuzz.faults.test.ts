import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { fuzz } from './fuzz.testkit.ts'
import { project } from './project.mjs'

vi.setConfig({ testTimeout: 120_000 })

describe('fuzz', () => {
  test('finds no step that throws, stalls or steers a terminal in 100 changed manifests and results', async () => {
    const sources = ['bench/forms/constructs.json', 'examples/functions/functions.json'].map(name => ({
      name,
      text: readFileSync(project(name), 'utf8'),
    }))
    const { faults, steps } = await fuzz(sources, 100, 12)
    expect(faults).toEqual([])
    expect(steps).toBeGreaterThan(1_000)
  })
})
