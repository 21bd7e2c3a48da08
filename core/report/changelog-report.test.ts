import { describe, expect, test } from 'vitest'
import type { Changelog } from './changelog.ts'
import { changelogShape } from './changelog.ts'
import { type ChangelogFormat, changelogRenderers, feedShape } from './changelog-render.ts'
import { makeChangelog } from './make-changelog.ts'

/** A text that tries to be something else in every format. */
const evil =
  '</pre><script>alert(1)</script> `` ``` @octocat [x](https://evil.example)\n## heading \u001b[31m \u202e &lt;'

const send = (maximum: number) => ({
  name: 'send',
  inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } }, required: ['n'] },
})
const hostile = (values: readonly string[]) => ({
  name: evil,
  inputSchema: { type: 'object', properties: { [evil]: { enum: values } }, required: [evil] },
})
const get = (name: string) => ({
  name,
  inputSchema: { type: 'object', properties: { address: { type: 'string' } } },
})

async function changelog(): Promise<Changelog> {
  const entries = await makeChangelog([
    {
      reference: 'acme@1',
      name: 'acme@1',
      side: { tools: [send(100), get('get-page'), hostile(['a', evil])] },
    },
    {
      reference: 'acme@2',
      name: 'acme@2',
      time: '2026-11-20T10:00:00.000Z',
      note: evil,
      side: { tools: [send(50), get('get_page'), hostile(['a']), { name: 'weather', inputSchema: true }] },
    },
    {
      reference: 'acme@3',
      name: 'acme@3',
      time: '2026-11-21T10:00:00.000Z',
      side: { tools: [send(50), get('get_page'), hostile(['a']), { name: 'weather', inputSchema: true }] },
    },
  ])
  return { title: 'acme', entries, older: 4 }
}

const render = async (format: ChangelogFormat) =>
  changelogRenderers[format](await changelog(), { colour: false })

describe('changelog reports', () => {
  test('text has a heading, a sentence, two lines for each break, and a line for each list', async () => {
    const text = await render('text')
    const lines = text.split('\n')
    expect(lines.slice(0, 5)).toEqual([
      'acme: 3 versions, newest first; 4 older ones are not listed.',
      '',
      'acme@3 · 2026-11-21',
      '  Nothing changed.',
      '',
    ])
    expect(lines[5]).toBe('acme@2 · 2026-11-20 · major')
    expect(lines).toContain('  ✕ send /n — maximum lowered: 100 → 50')
    expect(lines).toContain(
      '      An input that worked before and fails now: /n must not be above 50: {"n":51}',
    )
    expect(lines).toContain('  → Renamed: get-page → get_page')
    expect(lines).toContain('  + Added: weather')
    expect(lines).toContain('  toolscope diff acme@1 acme@2')
    expect(text).toContain('acme@1\n  First version: 3 tools.\n')
  })

  test('text has colours only if asked for', async () => {
    expect(await render('text')).not.toContain('\u001b')
    expect(changelogRenderers.text(await changelog(), { colour: true })).toContain('\u001b[31mmajor\u001b[0m')
  })

  test('Markdown has a heading for each version, with its breaks and renamed tools below', async () => {
    const markdown = await render('markdown')
    expect(markdown).toContain('# Changelog of `acme`\n')
    expect(markdown).toContain('## `acme@2` - 2026-11-20 - major\n')
    expect(markdown).toContain('- `send` `/n`: maximum lowered: 100 → 50\n')
    expect(markdown).toContain('`{"n":51}`')
    expect(markdown).toContain('### Renamed\n\n- `get-page` → `get_page`\n')
    expect(markdown).toContain('Full comparison: `toolscope diff acme@1 acme@2`')
  })

  test('the feed is a JSON Feed 1.1 with an item for each version', async () => {
    const feed = feedShape.parse(JSON.parse(await render('feed')))
    expect(feed.items.map(({ id, title, tags }) => [id, title, tags])).toEqual([
      ['acme@3', 'acme@3', undefined],
      ['acme@2', 'acme@2 (major)', ['major']],
      ['acme@1', 'acme@1', undefined],
    ])
    expect(feed.items[1]?.date_published).toBe('2026-11-20T10:00:00.000Z')
    expect(feed.items[1]?.content_text).toContain('✕ send /n — maximum lowered: 100 → 50')
  })

  test('JSON has the published shape', async () => {
    const data: unknown = JSON.parse(await render('json'))
    expect(changelogShape.parse(data)).toEqual(data)
  })

  test('text counts the breaks that it does not show', async () => {
    const wide = (maximum: number) => ({
      name: 'wide',
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 14 }, (_, at) => [`n${at}`, { type: 'integer', maximum }]),
        ),
      },
    })
    const sides = [{ tools: [wide(9)] }, { tools: [wide(8)] }]
    const versions = sides.map((side, at) => ({ reference: `v${at}`, name: `v${at}`, side }))
    for (const maxBreaks of [12, 20]) {
      const entries = await makeChangelog(versions, { maxBreaks })
      expect(changelogRenderers.text({ title: 'x', entries, older: 0 }, { colour: false })).toContain(
        '✕ … 4 more breaking changes',
      )
    }
  })
})

describe('changelog reports with hostile text', () => {
  test('open no tag in HTML', async () => {
    const feed = feedShape.parse(JSON.parse(await render('feed')))
    for (const html of [await render('html'), ...feed.items.map(item => item.content_html)]) {
      expect(html).not.toMatch(/<script|<\/pre><script|<img/)
      expect(html).not.toMatch(/(?:src|href)=/)
    }
  })

  test('contain no control or bidirectional characters, and let no hostile text begin a line', async () => {
    const feed = feedShape.parse(JSON.parse(await render('feed')))
    const texts = [
      await render('text'),
      await render('markdown'),
      ...feed.items.map(item => item.content_text),
    ]
    for (const text of texts) {
      expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
      expect(text).not.toMatch(/^## heading/m)
    }
  })

  test('contain no mention, no link and no open tag in Markdown', async () => {
    // What is between backticks is shown as it is.
    const markdown = (await render('markdown')).replaceAll(/(`+) ?[^\n]*?[^`]\1(?!`)/g, '')
    expect(markdown).not.toMatch(/@octocat|(?<!\\)\]\(|(?<!\\)<script/)
  })
})
