/** fireargs: its transcripts are played back to Toolscope by a program that prints what fireargs printed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../../core/json/json.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { type Compare, RowBuilder } from './row.ts'
import { callOf, listOf, withSource } from './sources.ts'

interface Transcript {
  readonly argv: readonly string[]
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

const player = (transcripts: string) => `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
const said = JSON.parse(readFileSync(${JSON.stringify(transcripts)}, 'utf8'))
const argv = process.argv.slice(2)
const found = said.find(each => JSON.stringify(each.argv) === JSON.stringify(argv))
process.stdout.write(found?.stdout ?? '')
process.stderr.write(found?.stderr ?? \`error: unknown option '\${argv.at(-1)}'\\n\`)
process.exitCode = found?.exit ?? 1
`

/** The last JSON document of an output: other text may stand around it. */
function lastJson(stdout: string): unknown {
  const end = stdout.lastIndexOf('\n}') + 2
  for (const { index } of stdout.matchAll(/^[[{]/gm)) {
    try {
      return JSON.parse(stdout.slice(index, end))
    } catch {
      // It begins further down.
    }
  }
  return undefined
}

export const compareFireargs: Compare = async data => {
  const path = join(data, 'fireargs/transcripts.json')
  const [lists, calls] = [new RowBuilder(), new RowBuilder()]
  const missing = existsSync(path) ? undefined : 'no transcripts'
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-originals-'))
  try {
    const transcripts: Transcript[] = missing ? [] : JSON.parse(readFileSync(path, 'utf8'))
    const program = join(folder, 'player.mjs')
    writeFileSync(program, player(path))
    for (const { argv, exit, stdout } of transcripts) {
      const source = [process.execPath, program]
      const shown = argv.join(' ')
      if (argv.at(-1) === '--llms') {
        const wanted = exit === 0 ? listOf(toolsOf(lastJson(stdout))) : 'failed'
        const ours = await withSource([...source, ...argv.slice(0, -1)], async (_session, tools) => {
          const own = tools.filter(tool => tool.extra?.documentation !== true && tool.name !== 'help')
          return listOf(own)
        }).catch(() => 'failed')
        lists.compare(shown, ours, wanted)
        continue
      }
      const at = argv.indexOf('--json')
      if (at < 0 || at === argv.length - 1) continue
      await withSource([...source, argv[0] ?? ''], async (session, tools) => {
        const tool = tools.find(each => each.name === argv.slice(1, at).join(' '))
        const solo = at === 1 ? tools.at(-1) : undefined
        if (tool === undefined && solo === undefined) return
        const end = await callOf(session, (tool ?? solo) as ManifestTool, argv[at + 1] ?? '')
        const content = end?.type === 'result' ? end.structuredContent : undefined
        calls.compare(
          shown,
          [end?.type, content],
          exit === 0 ? ['result', lastJson(stdout)] : ['failure', undefined],
        )
      }).catch((thrown: unknown) => calls.compare(shown, String(thrown), 'a source'))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    lists.finish(
      '--llms manifests',
      'names and input schemas of fireargs’ manifests, or that it fails',
      missing,
    ),
    calls.finish(
      '--json calls',
      'success, failure and the result of each call that fireargs answered',
      missing,
    ),
  ]
}

function toolsOf(manifest: unknown): { name: string; inputSchema?: unknown }[] {
  const tools = isObject(manifest) && Array.isArray(manifest.tools) ? manifest.tools : []
  return tools.slice(1).filter(tool => tool.name !== 'help')
}
