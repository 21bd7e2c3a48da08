/** A small project for the tests of `toolscope check`. */
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
