/** The formats of a changelog, each with what writes it. */
import { plainJson } from '../text/plain-text.ts'
import type { Changelog } from './changelog.ts'
import { feedChangelog } from './changelog-feed.ts'
import { htmlChangelog } from './changelog-html.ts'
import { markdownChangelog } from './changelog-markdown.ts'
import { textChangelog } from './changelog-text.ts'

export const changelogRenderers = {
  text: textChangelog,
  json: (changelog: Changelog) => `${plainJson(changelog)}\n`,
  markdown: markdownChangelog,
  html: htmlChangelog,
  feed: feedChangelog,
}

export type ChangelogFormat = keyof typeof changelogRenderers
