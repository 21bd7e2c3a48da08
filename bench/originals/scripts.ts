/** ScriptedTool: the scripts whose output was kept, and those that its package runs now. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { wirePrompt } from '../../core/prompt/prompt.ts'
import { scriptedParts } from '../../core/prompt/scripted.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { type Answer, type Ran, runOurs, type SeedTool, seedOf } from '../../server/calls/seed.testkit.ts'
import {
  gardenAnswer,
  gardenTools,
  intended,
  intendedOfOriginals,
  scripts,
} from '../../server/calls/seed-scripts.testkit.ts'
import { type Compare, RowBuilder } from './row.ts'

export const compareScripts: Compare = async data => {
  const [kept, prompts, live] = [new RowBuilder(), new RowBuilder(), new RowBuilder()]
  const folder = join(data, 'scripted-tool')
  const hasGolden = existsSync(join(folder, 'golden.json'))
  if (hasGolden) {
    const { defs, impl }: { defs: SeedTool[]; impl: Answer } = await import(
      pathToFileURL(join(folder, 'defs.mjs')).href
    )
    const golden: (Ran & { s: string })[] = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8'))
    for (const { s, ...expected } of golden)
      if (Object.hasOwn(intendedOfOriginals, s)) kept.expectDifference()
      else kept.compare(s, await runOurs(defs, impl, s), expected)
    prompts.compare('prompt', promptOf(defs), readFileSync(join(folder, 'prompt.txt'), 'utf8'))
  }
  const seed = await seedOf(gardenTools, gardenAnswer)
  for (const script of seed === null ? [] : scripts) {
    if (Object.hasOwn(intended, script)) {
      live.expectDifference()
      continue
    }
    const ran = await seed?.execute(script)
    const theirs = { stdout: ran?.stdout, stderr: ran?.stderr, exit: ran?.exitCode }
    live.compare(script, await runOurs(gardenTools, gardenAnswer, script), theirs)
  }
  if (seed !== null) prompts.compare('prompt of our tools', promptOf(gardenTools), seed.systemPrompt())
  return [
    kept.finish('help and scripts', 'stdout, stderr and exit code', hasGolden ? undefined : 'no golden.json'),
    live.finish(
      'scripts in both shells',
      'stdout, stderr and exit code beside bashkit’s ScriptedTool',
      seed === null ? 'bashkit is not installed' : undefined,
    ),
    prompts.finish('system prompt', 'the whole text'),
  ]
}

const promptOf = (tools: readonly SeedTool[]) =>
  wirePrompt(
    scriptedParts(
      tools.map((tool, index): Tool => ({ ...tool, ref: tool.name, source: 'st', index, callable: true })),
      { compact: false, set: 'st', files: false },
    ),
  )
