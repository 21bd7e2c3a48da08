/** What `toolscope check` writes for other programs, read by a browser. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Run, runToolscope } from '../scripts/toolscope-program.ts'
import { expect, test } from './support/toolscope.ts'

const check = (
  directory: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Run> => runToolscope(['check', ...args], { directory, environment })

const echo = `
const tools = ['echo', 'wipe'].map(name => ({ name, inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }))
const words = process.argv.slice(2)
if (words.at(-1) === '--llms') console.log(JSON.stringify({ tools }))
else console.log(words.at(-1))
`

/** Writes files into the folder of a test. */
function filesOf(folder: string) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const example = (name: string, text: string) => write(`toolscope.examples/echo/echo/${name}.json`, text)
  write('toolscope.json', '{"sources":{"echo":{"command":["node","echo.mjs"]}}}')
  write('echo.mjs', echo)
  return { write, example }
}

test('JUnit is well-formed whatever the names hold', async ({ page, folder }) => {
  const { example } = filesOf(folder)
  example(
    'odd',
    '{"name":"<odd> & \\u0007 \\ud800","input":{"a":"\\u0000]]>"},"expect":{"exact":{"a":"<b>"}}}',
  )
  const { code, stdout } = await check(folder, ['--format', 'junit'])
  expect(code).toBe(4)
  const read = await page.evaluate(text => {
    const document = new DOMParser().parseFromString(text, 'application/xml')
    return {
      error: document.querySelector('parsererror')?.textContent,
      suites: document.documentElement.getAttribute('failures'),
      name: document.querySelector('testcase')?.getAttribute('name'),
      failure: document.querySelector('testcase failure')?.getAttribute('message'),
      time: document.querySelector('testcase')?.getAttribute('time'),
    }
  }, stdout)
  expect(read).toEqual({
    error: undefined,
    suites: '1',
    name: '<odd> & \\u{7} \ufffd',
    failure: 'the result differs at 1 place',
    time: expect.stringMatching(/^\d+\.\d{3}$/),
  })
})
