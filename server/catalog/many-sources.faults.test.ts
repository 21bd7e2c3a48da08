/** The cost of thousands of sources is linear: four times as many take about four times the processor time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readToolForms } from '../../core/form/tool-forms.ts'
import { finish } from '../../core/slices.ts'
import { discoverMcpServers } from '../recognise/discover-mcp.ts'
import { testContext } from '../sources/testkit.ts'
import { expectLinear } from '../testing/expect-linear.ts'
import { Catalog } from './catalog.ts'
import { configSources } from './config-sources.ts'
import { reportFormProblems } from './form-problems.ts'
import { ToolIndex } from './tool-index.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-many-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const writeServers = (count: number, nameOf: (at: number) => string, more: object = {}) => {
  const servers = Array.from({ length: count }, (_, at) => [nameOf(at), { command: 'node', args: [`${at}`] }])
  writeFileSync(
    join(folder, '.mcp.json'),
    JSON.stringify({ mcpServers: Object.fromEntries(servers), ...more }),
  )
}
const follow = (catalog: Catalog) =>
  configSources(
    catalog.sources,
    { paths: [join(folder, '.mcp.json')], read: () => finish(discoverMcpServers(folder)), opens: false },
    finish(discoverMcpServers(folder)),
  )
const newCatalog = () => new Catalog({ ...testContext, directory: folder })

test('configSources: lists the servers of a file in linear time', () =>
  expectLinear(count => {
    writeServers(count, at => `server${at}`)
    const catalog = newCatalog()
    return async () => {
      await follow(catalog).opened
      expect(catalog.sources.list()).toHaveLength(count)
    }
  }))

test('configSources: numbers servers whose names become equal in linear time', () =>
  expectLinear(count => {
    writeServers(count, at => `a${[...at.toString(2)].map(bit => (bit === '1' ? '/' : ',')).join('')}b`)
    const catalog = newCatalog()
    return () => follow(catalog).opened
  }))

test('configSources: replaces all servers of a file in linear time, next to problems of forms to report', () =>
  expectLinear(count => {
    writeServers(count, at => `server${at}`)
    const catalog = newCatalog()
    return async () => {
      const { opened, update } = follow(catalog)
      await opened
      void catalog.sources.add({
        settings: { name: 'slow' },
        kind: 'program',
        label: 'slow',
        definition: 'slow',
        open: () => new Promise(() => {}),
      })
      catalog.setForms({ ...readToolForms(undefined), fingerprint: 'new' })
      const stop = reportFormProblems(catalog, true, () => {})
      writeServers(count, at => `other${at}`)
      await update()
      stop()
      expect(catalog.sources.list()).toHaveLength(count + 1)
    }
  }))

test('discoverMcpServers: reads disabled servers and inputs of a file in linear time', () =>
  expectLinear(count => {
    const names = Array.from({ length: count }, (_, at) => `server${at}`)
    writeServers(count, at => `server${at}`, {
      disabledMcpServers: names,
      inputs: names.map(id => ({ id, type: 'promptString' })),
    })
    return () => finish(discoverMcpServers(folder))
  }))

test('tool index: finds a tool by its name in each of many sources in linear time', () =>
  expectLinear(count => {
    const index = new ToolIndex()
    return () => {
      for (let at = 0; at < count; at++) index.set(`source${at}`, [{ name: `look ${at}`, inputSchema: {} }])
      expect(index.find(`source${count - 1}/look ${count - 1}`).index).toBe(0)
      for (let at = 0; at < count; at++) index.get(`source${at}/look ${at}`)
      expect(() => index.find('absent')).toThrow()
      for (let at = 0; at < count; at++) index.remove(`source${at}`)
    }
  }))
