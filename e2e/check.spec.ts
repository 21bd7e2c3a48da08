/** What `toolscope check` writes for other programs, read by a browser. */
import { check, filesOf } from '../scripts/check-project.testkit.ts'
import { expect, test } from './support/toolscope.ts'

test('check command: writes well-formed JUnit for names with markup and control characters', async ({
  page,
  folder,
}) => {
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
    failure: 'the result differs at 1 location',
    time: expect.stringMatching(/^\d+\.\d{3}$/),
  })
})
