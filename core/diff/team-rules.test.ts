import { expect, test } from 'vitest'
import { diffManifests, mergeReports } from './diff-manifests.ts'
import { expiredIgnores, rulesOptions, type TeamRules } from './team-rules.ts'

const manifest = (maximum: number, description: string) => ({
  tools: [
    { name: 'deploy', description, inputSchema: { type: 'object', properties: { batch: { maximum } } } },
  ],
})
const [before, after] = [manifest(100, 'Deploys.'), manifest(50, 'Deploys a build.')]
const compare = (rules: TeamRules) => diffManifests(before, after, rulesOptions(rules))
const lowered = async () => (await compare({})).changes.find(({ rule }) => rule === 'maximum-lowered')
const ignoring = (...entries: NonNullable<TeamRules['ignore']>['entries'][number][]) => ({
  ignore: { file: 'ignore.json', entries, today: '2026-11-24' },
})

test('team rules: count the changes of a rule that is switched off', async () => {
  const report = await compare({
    rules: { file: 'rules.json', severities: { 'description-changed': 'off', 'maximum-lowered': 'warning' } },
  })
  expect(report.counts).toEqual({ breaking: 0, dangerous: 0, warning: 1, info: 0 })
  expect(report.switchedOff).toEqual({ 'description-changed': 1 })
})

test('team rules: call an ignore entry unused if no change matches it, and do not apply an expired one', async () => {
  const { fingerprint = '' } = (await lowered()) ?? {}
  const past = { fingerprint, reason: 'agreed', expires: '2026-11-23' }
  const unused = { fingerprint: '00000000', reason: 'agreed', expires: '2026-11-23' }
  const { ignore } = ignoring(past, unused, { fingerprint: '11111111', reason: 'agreed' })
  const report = await compare({ ignore })
  expect(report.counts.breaking).toBe(1)
  expect(report.unusedIgnores).toEqual(['00000000', '11111111'])
  expect(expiredIgnores(ignore, report.unusedIgnores)).toEqual([past])
  const renewed = ignoring(past, { fingerprint, reason: 'agreed again', expires: '2027-01-01' })
  expect(expiredIgnores(renewed.ignore, (await compare(renewed)).unusedIgnores)).toEqual([])
  const today = await compare(ignoring({ ...past, expires: '2026-11-24' }))
  expect([today.ignored.length, today.counts.breaking, today.unusedIgnores]).toEqual([1, 0, []])
})

test('team rules: call an ignore entry unused if none of several sources has its change', async () => {
  const { fingerprint = '' } = (await lowered()) ?? {}
  const rules: TeamRules = {
    rules: { file: 'rules.json', severities: { 'description-changed': 'off' } },
    ...ignoring({ fingerprint, reason: 'agreed' }, { fingerprint: '00000000', reason: 'agreed' }),
  }
  const [changed, equal] = [await compare(rules), await diffManifests(before, before, rulesOptions(rules))]
  const parts = [changed, changed, equal].map((report, at) => ({ source: `s${at}`, report }))
  const { unusedIgnores, switchedOff, ignored } = mergeReports(parts)
  expect([unusedIgnores, switchedOff]).toEqual([['00000000'], { 'description-changed': 2 }])
  expect(ignored.map(({ tool }) => tool)).toEqual(['s0/deploy', 's1/deploy'])
})
