/** Small projects for the tests of `toolscope check` and `toolscope compare`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Run, runToolscope } from './toolscope-program.ts'

/** Runs `toolscope check` in a directory. */
export const check = (
  directory: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Run> => runToolscope(['check', '--trust', ...args], { directory, environment })

const echo = `
const tools = ['echo', 'wipe'].map(name => ({ name, inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }))
const words = process.argv.slice(2)
if (words.at(-1) === '--llms') console.log(JSON.stringify({ tools }))
else console.log(words.at(-1))
`

/** A project with one source, whose tools answer with their input: writes its files and its examples. */
export function filesOf(folder: string) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const example = (name: string, text: string) => write(`toolscope.examples/echo/echo/${name}.json`, text)
  write('toolscope.json', '{"sources":{"echo":{"command":["node","echo.mjs"]}}}')
  write('echo.mjs', echo)
  return { write, example }
}

const shop = `
import { randomUUID } from 'node:crypto'
const [version] = process.argv.slice(2)
const tool = (name, annotations) => ({ name, inputSchema: { type: 'object' }, outputSchema: { type: 'object' }, annotations })
const tools = [
  tool('order', { readOnlyHint: true }),
  tool('save', {}),
  tool('wipe', { destructiveHint: true, readOnlyHint: true }),
  ...(version === 'v1' ? [tool('gone', { readOnlyHint: true })] : []),
]
if (process.argv.at(-1) === '--llms') console.log(JSON.stringify({ tools }))
else {
  const input = JSON.parse(process.argv.at(-1))
  console.log(JSON.stringify({
    id: randomUUID(),
    lines: [{ at: new Date(Date.now() + (version === 'v1' ? 0 : 5_000)).toISOString(), total: version === 'v1' ? 1 : 2 }],
    ...input,
  }))
}
`

/** A project with two versions of one server, `shop` and `staging`: writes its files, and examples of the first. */
export function shopOf(folder: string) {
  const { write } = filesOf(folder)
  const source = (version: string) => ({ command: ['node', 'shop.mjs', version] })
  write('toolscope.json', JSON.stringify({ sources: { shop: source('v1'), staging: source('v2') } }))
  write('shop.mjs', shop)
  const example = (tool: string, name: string, input: unknown) =>
    write(`toolscope.examples/shop/${tool}/${name}.json`, JSON.stringify({ name, input }))
  return { write, example }
}
