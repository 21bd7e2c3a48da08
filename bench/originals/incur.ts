/** incur's programs: what they list and answer on their own command line, and what Toolscope lists and answers. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Compare, RowBuilder } from './row.ts'
import { callOf, withSource } from './sources.ts'

// `npm test` installs it there (scripts/incur-fixture.mjs).
const folder = resolve('node_modules/.cache/toolscope-incur')
const program = `${folder}/incur-program.mjs`
const itself = `${folder}/node_modules/incur/dist/cli/index.js`

/** A tool, an input, and the same as words. */
const calls: readonly (readonly [name: string, input: object, words: readonly string[]])[] = [
  ['api greet', { name: 'Ada', loud: true }, ['api', 'greet', 'Ada', '--loud']],
  [
    'api greet',
    { name: 'Ada', version: '-1', tag: ['a', '-b'] },
    ['api', 'greet', 'Ada', '--version=-1', '--tag=a', '--tag=-b'],
  ],
  ['join', { words: ['a', 'b c'] }, ['join', 'a', 'b c']],
  ['refuse', {}, ['refuse']],
]

export const compareIncur: Compare = async () => {
  const row = new RowBuilder()
  const isInstalled = existsSync(itself)
  if (isInstalled) {
    for (const file of [program, itself])
      await withSource([process.execPath, file], async (_session, tools) => {
        const { commands } = answerOf(file, ['--llms-full']) as { commands: { name: string }[] }
        const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort()
        row.compare(`the list of ${file}`, names(tools), names(commands))
      })
    await withSource([process.execPath, program], async (session, tools) => {
      for (const [name, input, words] of calls) {
        const tool = tools.find(each => each.name === name)
        const ending = tool && (await callOf(session, tool, JSON.stringify(input)))
        const theirs = answerOf(program, words)
        if (ending?.type === 'failure') {
          const { code, message } = theirs as { code?: string; message?: string }
          row.compare(words.join(' '), ending.message, `${code}: ${message}`)
        } else
          row.compare(
            words.join(' '),
            ending?.type === 'result' ? ending.structuredContent : undefined,
            theirs,
          )
      }
    })
  }
  const missing = isInstalled ? undefined : 'not installed: npm test does that'
  return [row.finish('incur', 'lists and calls on its own command line', missing)]
}

function answerOf(file: string, words: readonly string[]): unknown {
  return JSON.parse(
    spawnSync(process.execPath, [file, ...words, '--format', 'json'], { encoding: 'utf8' }).stdout,
  )
}
