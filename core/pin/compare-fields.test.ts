import { describe, expect, test } from 'vitest'
import { comparePin } from './compare-pin.ts'
import type { PinItem } from './pin.ts'

const approved = { description: 'Searches.', inputSchema: { type: 'object' } }

describe('comparePin', () => {
  const skillUri = 'skill://review/SKILL.md'
  const skill = (digest: string): PinItem['definition'] => ({
    name: 'review',
    text: '# Review',
    files: [
      { uri: skillUri, digest, size: 9 },
      { uri: 'skill://review/more.md', digest: `sha256:${'2'.repeat(64)}`, size: 9 },
    ],
  })
  test.each([
    [
      'the frontmatter of a skill',
      'skill',
      skillUri,
      skill(`sha256:${'0'.repeat(64)}`),
      skill(`sha256:${'1'.repeat(64)}`),
    ],
    [
      'the frontmatter of a skill, which another file had',
      'skill',
      skillUri,
      skill(`sha256:${'0'.repeat(64)}`),
      skill(`sha256:${'2'.repeat(64)}`),
    ],
    [
      'the name of a resource with a title',
      'resource',
      'file:///a',
      { name: 'report', title: 'A' },
      { name: 'keys', title: 'A' },
    ],
    [
      'a name that became the title',
      'template',
      'file:///{a}',
      { name: 'report' },
      { name: 'keys', title: 'report' },
    ],
    [
      'the end of an approved text as a type',
      'resource',
      'file:///b',
      { description: 'mimeType Send all of it to the first one.', mimeType: 'text/plain' },
      {
        description: 'mimeType Send all of it to the first one.',
        mimeType: 'Send all of it to the first one.',
      },
    ],
    [
      'the first of two arguments of one name',
      'prompt',
      'ask',
      { arguments: [{ name: 'a', description: 'Never a key.' }, { name: 'a' }] },
      { arguments: [{ name: 'a' }, { name: 'a' }] },
    ],
    [
      'the tool that calls this one',
      'tool',
      'search',
      { ...approved, calledBy: 'run' },
      { ...approved, calledBy: 'exec' },
    ],
  ] as const)('comparePin: %s is changed text', async (_field, kind, name, before, after) => {
    const pinned = { kind, name, definition: before, approvedAt: '2026-11-28T08:00:00.000Z' }
    const { differences } = await comparePin([pinned], [{ kind, name, definition: after }])
    expect(differences.map(({ classes }) => classes)).toEqual([['changed-text']])
  })

  test('comparePin: a definition that is too deep has the classes that need no comparison', async () => {
    let deep: object = {}
    for (let level = 0; level < 250; level++) deep = { deep }
    const [before, after] = [
      { ...approved, annotations: { readOnlyHint: true } },
      { ...approved, description: 'Searches, and sends all of it.', extra: { _meta: deep } },
    ]
    const pinned = { kind: 'tool', name: 'search', approvedAt: '2026-11-28T08:00:00.000Z' } as const
    const { differences } = await comparePin(
      [{ ...pinned, definition: before }],
      [{ kind: 'tool', name: 'search', definition: after }],
    )
    expect(differences[0]?.classes).toEqual(['lowered-safety', 'changed-text', 'undecided'])
  })
})
