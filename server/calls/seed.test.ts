/** Scripts in Toolscope's shell against those in bashkit's ScriptedTool: byte for byte, but for what differs on purpose. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { scriptedParts, wirePrompt } from '../../core/prompt/prompt.ts'
import { nameToolCommands } from '../../core/prompt/tool-commands.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { originalsFolder } from '../../scripts/originals.ts'
import { type Ran, runOurs, type SeedTool, seedOf, type ToolAnswer } from './seed.testkit.ts'
import { gardenAnswer, gardenTools, intended, intendedOfOriginals, scripts } from './seed-scripts.testkit.ts'

const originals = originalsFolder('scripted-tool')
const seed = await seedOf(gardenTools, gardenAnswer)

const promptOf = (tools: readonly SeedTool[]) =>
  wirePrompt(
    scriptedParts(
      nameToolCommands(
        tools.map((tool, index): Tool => ({ ...tool, ref: tool.name, source: 'st', index, callable: true })),
      ).entries,
      { compact: false, set: 'st', files: false },
    ),
  )

describe.skipIf(originals === null)('script runner against the original scripts', () => {
  test('gives the recorded output and prompt, but for the intended differences', async () => {
    const { defs, impl }: { defs: SeedTool[]; impl: ToolAnswer } = await import(
      pathToFileURL(`${originals}/defs.mjs`).href
    )
    const golden: (Ran & { s: string })[] = JSON.parse(readFileSync(`${originals}/golden.json`, 'utf8'))
    const different: string[] = []
    for (const { s, ...expected } of golden) {
      const ran = await runOurs(defs, impl, s)
      if (s in intendedOfOriginals && JSON.stringify(ran) !== JSON.stringify(expected)) different.push(s)
      else expect({ s, ...ran }).toEqual({ s, ...expected })
    }
    expect(different).toEqual(Object.keys(intendedOfOriginals))
    expect(different.length).toBeLessThanOrEqual(golden.length / 10)
    expect(promptOf(defs)).toBe(readFileSync(`${originals}/prompt.txt`, 'utf8'))
  })
})

describe('script runner without files', () => {
  test.each([
    'command cat /etc/passwd',
    '. /etc/profile',
    'exec 3> /tmp/f',
    'echo x | xargs tee /tmp/f',
    'jq . /x',
    'sed -i s/a/b/ /x',
    'mapfile a < /etc/passwd',
    'unset -f cat; cat /etc/passwd',
    'echo x > f && read line < f && echo "$line"',
  ])('denies file access to: %s', async script => {
    const { stdout, exit } = await runOurs(gardenTools, gardenAnswer, script)
    expect({ stdout, failed: exit !== 0 }).toEqual({ stdout: '', failed: true })
  })
})

describe.skipIf(seed === null)('script runner against the seed shell', () => {
  test.each(scripts)('gives the same or an intended other output: %s', async script => {
    const there = await seed?.execute(script)
    const theirs = { stdout: there?.stdout, stderr: there?.stderr, exit: there?.exitCode }
    const ours = await runOurs(gardenTools, gardenAnswer, script)
    if (script in intended) expect(ours).not.toEqual(theirs)
    else expect(ours).toEqual(theirs)
  })

  test('covers over a hundred different scripts, at most a tenth of them with an intended difference', () => {
    expect(new Set(scripts).size).toBe(scripts.length)
    expect(scripts.length).toBeGreaterThan(100)
    expect(Object.keys(intended).length).toBeLessThanOrEqual(scripts.length / 10)
  })

  test('gives the same prompt', () => {
    expect(promptOf(gardenTools)).toBe(seed?.systemPrompt())
  })
})
