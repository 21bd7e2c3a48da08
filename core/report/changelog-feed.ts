/** Writes the changelog as a feed: JSON Feed 1.1, https://jsonfeed.org/version/1.1. */
import { z } from 'zod'
import { withoutUndefined } from '../json/json.ts'
import { plainJson } from '../text/plain-text.ts'
import type { Changelog, ChangelogEntry } from './changelog.ts'
import { entryHtml } from './changelog-html.ts'
import { entryLines } from './changelog-text.ts'
import { visibleLine } from './report-text.ts'

/** The fields of the format that these feeds use. */
export const feedShape = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  items: z
    .array(
      z.object({
        id: z.string().min(1),
        title: z.string(),
        summary: z.string(),
        content_text: z.string(),
        content_html: z.string(),
        date_published: z.iso.datetime({ offset: true }).exactOptional(),
        tags: z.array(z.string()).readonly().exactOptional(),
      }),
    )
    .readonly(),
})

/** Ends with a newline. A feed has no addresses, because the address of its site is unknown. */
export function feedChangelog({ title, entries }: Changelog): string {
  const feed: z.infer<typeof feedShape> = {
    version: 'https://jsonfeed.org/version/1.1',
    title: `Changelog of ${visibleLine(title)}`,
    items: entries.map(toFeedItem),
  }
  return `${plainJson(feed)}\n`
}

function toFeedItem(entry: ChangelogEntry): z.infer<typeof feedShape>['items'][number] {
  const { reference, name, time, bump, sentence } = entry
  const hasBump = bump !== undefined && bump !== 'none'
  return {
    id: reference,
    title: hasBump ? `${visibleLine(name)} (${bump})` : visibleLine(name),
    summary: sentence,
    content_text: entryLines(entry)
      .map(line => line.replace(/^ {2}/, ''))
      .join('\n'),
    content_html: entryHtml(entry),
    ...withoutUndefined({ date_published: time, tags: hasBump ? [bump] : undefined }),
  }
}
