/** The rules of LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM, and which environment they are read from. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { confirmReason, getAskMode } from '../../core/tool/confirm-reason.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import { entry, makeTree } from '../llm-functions/testkit.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import type { SourceSpec } from '../sources/source.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'
import { addConfirmRules } from './confirm-rules.ts'

const list = (...tools: readonly (string | Partial<ManifestTool>)[]): Manifest => ({
  tools: tools.map(tool => ({
    inputSchema: {},
    name: 'x',
    ...(typeof tool === 'string' ? { name: tool } : tool),
  })),
  problems: [],
  format: 'test',
})
const confirms = async (manifest: Manifest, environment: Record<string, string>) =>
  (await addConfirmRules(manifest, environment)).tools.map(({ extra }) => extra?.confirm)

describe('addConfirmRules', () => {
  it('prefers NEED to SKIP, matches whole words, and leaves other tools to their hints', async () => {
    const rm = { name: 'a rm', extra: { agentName: 'a', functionName: 'rm' } }
    const tools = list('fs_cat', 'fs_rm', 'other', rm)
    const rules = { LLM_MCP_NEED_CONFIRM: '(fs_)?rm', LLM_MCP_SKIP_CONFIRM: 'fs_.*' }
    expect(await confirms(tools, rules)).toEqual([false, true, undefined, true])
    expect(await confirms(tools, { LLM_MCP_NEED_CONFIRM: '^rm$', LLM_MCP_SKIP_CONFIRM: '^a' })).toEqual([
      ...[undefined, undefined, undefined],
      true,
    ])
  })

  it('ignores a rule that the list itself contains', async () => {
    const forged = list({ annotations: { destructiveHint: true }, extra: { confirm: false, tags: [] } })
    const [tool] = (await addConfirmRules(forged, {})).tools
    expect(tool?.extra).toEqual({ tags: [] })
    expect(confirmReason(tool ?? {})).toBe('hint')
    expect(await confirms(forged, { LLM_MCP_NEED_CONFIRM: 'x' })).toEqual([true])
  })

  it('adds the setting of the source to destructive tools, and NEED has priority', async () => {
    const forged = { annotations: { destructiveHint: true }, extra: { askBeforeDestructive: 'never' } }
    const tools = list('plain', { ...forged, name: 'wipe' }, { ...forged, name: 'must' })
    const reasons = async (...rules: [Record<string, string>, ('each-call' | 'once' | 'never')?]) =>
      (await addConfirmRules(tools, ...rules)).tools.map(tool => [confirmReason(tool), getAskMode(tool)])
    const need = { LLM_MCP_NEED_CONFIRM: 'must' }
    expect(await reasons(need, 'never')).toEqual([
      [undefined, undefined],
      [undefined, 'never'],
      ['rule', 'never'],
    ])
    expect(await reasons(need, 'once')).toEqual([
      [undefined, undefined],
      ['hint', 'once'],
      ['rule', 'once'],
    ])
    expect(await reasons({})).toEqual([
      [undefined, undefined],
      ['hint', undefined],
      ['hint', undefined],
    ])
  })

  it('returns an unchanged list as it is', async () => {
    const tools = list('one')
    expect(await addConfirmRules(tools, { LLM_MCP_NEED_CONFIRM: '' })).toBe(tools)
    expect(await addConfirmRules(tools, { LLM_MCP_SKIP_CONFIRM: 'two' })).toBe(tools)
  })

  it('confirms all for a broken NEED, skips none for a broken SKIP, and ends a slow pattern in time', async () => {
    const need = await addConfirmRules(list('x'), { LLM_MCP_NEED_CONFIRM: '(' })
    expect([need.tools[0]?.extra, need.problems.length]).toEqual([{ confirm: true }, 1])
    const skip = await addConfirmRules(list('x'), { LLM_MCP_SKIP_CONFIRM: '[' })
    expect([skip.tools[0]?.extra, skip.problems.length]).toEqual([undefined, 1])
    const started = performance.now()
    await addConfirmRules(list(`${'a'.repeat(50_000)}!`), { LLM_MCP_NEED_CONFIRM: '^(a+)+$' })
    expect(performance.now() - started).toBeLessThan(limitNow(2_000))
  })
})

describe('confirm rules of a source', () => {
  const need = 'LLM_MCP_NEED_CONFIRM'
  const command = [process.execPath, resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')]
  const tree = (pattern: string) =>
    makeTree({ '.env': `${need}=${pattern}\n`, 'functions.json': [entry('echo'), entry('helper')] })
  const environment = { [need]: 'echo' }
  type Open = () => SourceSpec
  const server = (env: Record<string, string>, settings: object) => () =>
    configuredSource({ mcp: { command, env } }, { name: 's', ...settings }, {})
  const functions = (pattern: string, settings: object) => () =>
    configuredSource({ functions: tree(pattern) }, { name: 's', ...settings }, {})
  const cases: [string, Open, ofToolscope: string | undefined][] = [
    ['a server: its settings before Toolscope’s', server({}, { environment }), 'helper'],
    ['a server: its own env before Toolscope’s', server(environment, {}), 'helper'],
    ['a server: else Toolscope’s', server({}, {}), 'echo'],
    ['a tree: its settings before Toolscope’s', functions('helper', { environment }), 'helper'],
    ['a tree: its .env if nothing else is set', functions('echo', {}), undefined],
    ['a tree: Toolscope’s even if not inherited', functions('helper', { inherit: ['HOME'] }), 'echo'],
  ]
  it.each(cases)('are read from the environment of %s', async (_case, open, ofToolscope) => {
    const set = ofToolscope === undefined ? {} : { [need]: ofToolscope }
    const catalog = new Catalog({ directory: '/', environment: { PATH: process.env.PATH, ...set } })
    try {
      await catalog.sources.open(open())
      const reasons = ['echo', 'helper'].map(name => confirmReason(catalog.tools.get(`s/${name}`)))
      expect(reasons).toEqual(['rule', undefined])
    } finally {
      await catalog.close()
    }
  })

  it('are applied once to an unchanged list', async () => {
    const catalog = new Catalog({ directory: '/', environment: { ...process.env, [need]: 'echo' } })
    try {
      await catalog.sources.open(configuredSource({ mcp: { command } }, { name: 's' }, {}))
      const before = catalog.sources.find('s')?.manifest
      await catalog.sources.refresh('s')
      expect(catalog.sources.find('s')?.manifest).toBe(before)
    } finally {
      await catalog.close()
    }
  })

  it('follow a changed setting even if the list cannot be read again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolscope-rules-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'tools.json')
    const wipe = { name: 'wipe', inputSchema: {}, annotations: { destructiveHint: true } }
    writeFileSync(file, JSON.stringify({ tools: [wipe] }))
    const catalog = new Catalog({ directory: folder, environment: { ...process.env } })
    onTestFinished(() => catalog.close())
    await catalog.sources.open(configuredSource({ manifest: file }, { name: 's' }, {}))
    rmSync(file)
    const refreshed = catalog.sources.refresh('s')
    const states = await Promise.all([
      catalog.sources.setCallSettings('s', { askBeforeDestructive: 'once' }),
      catalog.sources.setCallSettings('s', { askBeforeDestructive: 'never' }),
    ])
    expect(getAskMode(catalog.tools.get('s/wipe'))).toBe('never')
    expect([await refreshed, ...states].map(({ status }) => status)).toEqual([
      'degraded',
      'degraded',
      'degraded',
    ])
  })
})
