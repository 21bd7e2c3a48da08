/** The formats of a changelog, each with what writes it. */
import { plainJson } from '../../text/plain-text.ts'
import type { Changelog } from '../changelog.ts'
import { feedChangelog } from './feed.ts'
import { htmlChangelog } from './html.ts'
import { markdownChangelog } from './markdown.ts'
import { textChangelog } from './text.ts'

export const changelogRenderers = {
  text: textChangelog,
  json: (changelog: Changelog) => `${plainJson(changelog)}\n`,
  markdown: markdownChangelog,
  html: htmlChangelog,
  feed: feedChangelog,
}

export type ChangelogFormat = keyof typeof changelogRenderers
