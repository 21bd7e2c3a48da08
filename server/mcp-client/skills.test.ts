import { afterEach, describe, expect, test } from 'vitest'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { surfaceEntries } from '../../core/tool/surface.ts'
import { until } from '../../scripts/test-processes.ts'
import type { Session, SourceContext } from '../sources/source.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'

const fixture = resolveInRepository('server/sources/fixtures/mcp-skills.mjs')
const opened: Session[] = []

afterEach(() => Promise.all(opened.splice(0).map(session => session.close())))

async function open(words: readonly string[], context: SourceContext = testContext): Promise<Session> {
  const session = await openSource(['mcp:', process.execPath, fixture, ...words], context)
  opened.push(session)
  return session
}

async function getSkill(session: Session, name: string, input: object) {
  const entries = surfaceEntries(await session.manifest(neverAborted()))
  const entry = entries.find(({ path }) => path === `skills/skill://${name}/SKILL.md`)
  if (entry === undefined) throw new Error(`no skill ${name}`)
  return (await callAndWait(session, entry.callable, input)).ending
}

describe.each([
  ['2026-07-28', []],
  ['2025-11-25', ['--legacy']],
])('skills of %s', (protocol, words) => {
  test('skills: every page is listed with files and texts, and a file is verified', async () => {
    const session = await open(words)
    const manifest = await session.manifest(neverAborted())
    expect(session.about?.().protocol).toBe(protocol)
    expect(manifest.problems).toEqual([])
    expect(
      manifest.skills?.map(({ name, description, text }) => [name, description, text?.slice(0, 8)]),
    ).toEqual([
      ['fill-forms', 'Fills PDF forms.', '# Fill f'],
      ['review', 'Reviews a change.', '# Review'],
      ['write-tests', 'Writes tests.', '# Tests\n'],
    ])
    expect(manifest.skills?.[0]?.files).toHaveLength(4)
    expect(await getSkill(session, 'review', {})).toMatchObject({
      type: 'result',
      content: [{ type: 'text', text: expect.stringContaining('# Review') }],
      note: expect.stringMatching(/verified: \d+ bytes, sha256:[\da-f]{64}/),
    })
    for (const file of ['references/FORMS.md', 'logo.bin'])
      expect(await getSkill(session, 'fill-forms', { file })).toMatchObject({
        type: 'result',
        note: expect.stringContaining('verified'),
      })
    expect(await getSkill(session, 'fill-forms', { file: 'missing.md' })).toMatchObject({
      reason: 'not-found',
    })
    expect(await getSkill(session, 'fill-forms', { file: '../x' })).toMatchObject({ reason: 'not-found' })
  })

  test('skills: a change is read after the server reports it, and the diff shows text and files', async () => {
    let changes = 0
    const session = await open(words, { ...testContext, changed: () => changes++ })
    const before = await session.manifest(neverAborted())
    await callAndWait(session, await toolNamed(session, 'edit'), {})
    await until(() => changes > 0)
    const after = await session.manifest(neverAborted())
    const { changes: all } = await diffManifests(before, after)
    const found = all.filter(({ rule }) => rule.startsWith('skill-'))
    expect(found.map(({ tool, rule, severity, path }) => [tool, rule, severity, path])).toEqual([
      ['skill skill://review/SKILL.md', 'skill-text-changed', 'dangerous', 'SKILL.md'],
      ['skill skill://fill-forms/SKILL.md', 'skill-file-changed', 'warning', 'references/FORMS.md'],
    ])
    expect(found[0]?.cues?.[0]).toContain('asks for silence')
  })

  test('skills: a dynamic skill is read without a digest, and its folder is listed', async () => {
    const session = await open([...words, '--dynamic'])
    const manifest = await session.manifest(neverAborted())
    expect(manifest.skills).toMatchObject([{ name: 'today', files: 'dynamic' }])
    expect(await getSkill(session, 'today', {})).toMatchObject({
      note: expect.stringContaining('not verified'),
    })
    expect(await getSkill(session, 'today', { file: 'notes/' })).toMatchObject({
      structuredContent: { resources: [{ name: 'a.md' }] },
    })
  })
})

test('skills: bad entries are problems, and a file with other bytes fails with its content', async () => {
  const session = await open(['--broken'])
  const manifest = await session.manifest(neverAborted())
  expect(manifest.skills?.map(({ name }) => name)).toEqual([
    'odd',
    'outside',
    'Bad_Name',
    'forged',
    'huge',
    'pair',
    'loose',
  ])
  expect(manifest.skills?.[1]?.files).toHaveLength(1)
  const said = manifest.problems.map(({ name, message }) => `${name}: ${message}`).join('\n')
  for (const part of [
    'Skill 0: Expected an object',
    'Skill 1: It has no uri',
    'Skill 2: Its uri is not the address of a SKILL.md',
    'Skill 3: Its resources are neither a list nor "dynamic" but the number 7',
    'Skill 4: File 1 is not an address in the folder',
    'Skill 4: File 2 is not an address in the folder',
    'Skill 4: File 3 is not an address in the folder',
    'Skill 4: File 4 has no SHA-256 digest',
    'Skill 4: File 5 has no SHA-256 digest',
    'Skill 4: File 6 is listed twice',
    'Skill 5: Its name must be the name of its folder',
    'forged: Its SKILL.md is not the file that the skill lists: its digest is sha256:',
    'pair: Its SKILL.md is not the only content of the server’s answer',
    'loose: Its SKILL.md is not written in plain base64',
    'The text of 1 skill was not read',
  ])
    expect(said).toContain(part)
  expect(await getSkill(session, 'forged', { file: 'a.md' })).toMatchObject({
    type: 'failure',
    reason: 'bad-output',
    message: expect.stringContaining('is not the file that the skill lists'),
    content: [{ type: 'text', text: 'other' }],
  })
})

test.each([
  [
    'with another content',
    'pair',
    'a.md is not the only content of the server’s answer.',
    [{ resource: { text: 'other' } }, { resource: { text: 'and more' } }],
  ],
  [
    'with text after its base64',
    'loose',
    'a.md is not written in plain base64.',
    [{ resource: { blob: 'b3RoZXI=, and more' } }],
  ],
])('skills: a listed file %s is not verified', async (_case, name, message, content) => {
  const session = await open(['--broken'])
  expect(await getSkill(session, name, { file: 'a.md' })).toMatchObject({
    type: 'failure',
    reason: 'bad-output',
    message,
    content,
    note: 'A client must not load this file.',
  })
})

test('skills: the first 1,000 are read', async () => {
  const session = await open(['--broken', '--many'])
  const manifest = await session.manifest(neverAborted())
  expect(manifest.skills).toHaveLength(1_000)
  expect(manifest.problems.map(({ message }) => message)).toContain(
    'The server lists 1200 skills; the first 1000 are read.',
  )
})
