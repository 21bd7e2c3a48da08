/** `forms` of toolscope.json, in the built program. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Running, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'
import { test as base } from '../testing/folder-test.ts'

const tools = ['greet', 'deploy'].map(name => ({ name, inputSchema: { type: 'object' } }))

const test = base.extend<{
  configure: (forms: unknown) => void
  start: (...args: string[]) => Promise<Running>
}>({
  configure: async ({ folder }, use) => {
    writeFileSync(join(folder, 'acme.json'), JSON.stringify({ tools }))
    await use(forms => {
      const sources = { acme: { manifest: 'acme.json' } }
      writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources, forms }))
    })
  },
  start: async ({ folder }, use) => {
    const started: Running[] = []
    await use(async (...args) => {
      const running = await startToolscope(args, folder, { TOOLSCOPE_DATA_DIR: join(folder, 'data') })
      started.push(running)
      return running
    })
    for (const running of started) await running.stop()
  },
})

const uiSchemaOf = async (running: Running, ref: string) => {
  const detail: { uiSchema?: unknown } = await (await running.request(`/api/tools/${ref}`)).json()
  return detail.uiSchema
}

test('forms of tools: reach the page with their tool, and again when the file changes', async ({
  configure,
  start,
}) => {
  configure({ '*': { 'ui:order': ['*'] }, greet: { name: { 'ui:widget': 'textarea' } } })
  const running = await start()
  expect(await uiSchemaOf(running, 'acme/greet')).toEqual({
    'ui:order': ['*'],
    name: { 'ui:widget': 'textarea' },
  })
  expect(await uiSchemaOf(running, 'acme/deploy')).toEqual({ 'ui:order': ['*'] })

  const events = await running.request('/api/events')
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  configure({ 'acme/greet': { name: { 'ui:widget': 'password' } } })
  await expect.poll(() => uiSchemaOf(running, 'acme/greet')).toEqual({ name: { 'ui:widget': 'password' } })
  let told = ''
  while (!told.includes('"what":"tools","source":"*"')) told += (await reader?.read())?.value
  await reader?.cancel()
  expect(await uiSchemaOf(running, 'acme/deploy')).toBeUndefined()
  expect(running.stderr()).not.toContain('forms')
})

test('forms of tools: name wrong entries and apply the others', async ({ configure, start }) => {
  configure({ gret: {}, deploy: 'wide', greet: { 'ui:widgt': 'textarea', 'ui:title': 'Greeting' } })
  const running = await start()
  await expect.poll(() => running.stderr()).toContain('did you mean "greet"?')
  expect(running.stderr()).toContain('toolscope.json: at forms.deploy: must be an object')
  expect(running.stderr()).toContain('at forms.greet.ui:widgt: unknown key; did you mean "ui:widget"?')
  expect(await uiSchemaOf(running, 'acme/greet')).toEqual({ 'ui:title': 'Greeting' })
  configure({ nobody: {}, greet: { 'ui:title': 'Hello' } })
  await expect.poll(() => running.stderr()).toContain('at forms.nobody: no tool')
  expect(await uiSchemaOf(running, 'acme/greet')).toEqual({ 'ui:title': 'Hello' })
})

test('forms of tools: apply to a source that the command line names', async ({
  configure,
  folder,
  start,
}) => {
  configure({ greet: { 'ui:title': 'Greeting' }, 'acme/deploy': {} })
  writeFileSync(join(folder, 'other.json'), JSON.stringify({ tools: tools.slice(0, 1) }))
  const running = await start('other.json')
  expect(await uiSchemaOf(running, 'other/greet')).toEqual({ 'ui:title': 'Greeting' })
  configure({ greet: { 'ui:title': 'Hello' }, 'acme/deploy': {} })
  await expect.poll(() => uiSchemaOf(running, 'other/greet')).toEqual({ 'ui:title': 'Hello' })
  // acme is not open: whether it has such a tool is not known.
  expect(running.stderr()).not.toContain('acme/deploy')
})

test('forms of tools: are part of an export', async ({ configure, folder }) => {
  configure({ greet: { 'ui:title': 'Greeting of the form' }, gret: {} })
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const run = await runToolscope(['export', '-o', 'site'], { directory: folder, environment })
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('at forms.gret: no tool') })
  const files = readdirSync(join(folder, 'site/data'), { recursive: true, encoding: 'utf8' })
  const details = files.find(file => file.endsWith('tools-0.js')) ?? ''
  expect(readFileSync(join(folder, 'site/data', details), 'utf8')).toContain('Greeting of the form')
})
