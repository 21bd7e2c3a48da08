/** The YAML between two lines `---` at the start of a Markdown text, as in a SKILL.md. */

/** @returns `frontmatter` without its `---`; absent if the text has none, and `body` is the whole text then */
export function splitFrontmatter(markdown: string): { readonly frontmatter?: string; readonly body: string } {
  const text = markdown.replace(/^\uFEFF/, '')
  // A rule may be the first line of other texts.
  if (!/^---\r?\n(?:#|["'\w-]+\s*:)/.test(text)) return { body: text }
  const end = /\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  if (end === null) return { body: text }
  const start = text.indexOf('\n') + 1
  return { frontmatter: text.slice(start, end.index), body: text.slice(end.index + end[0].length) }
}
