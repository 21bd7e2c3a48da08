/** The table of the rules for the documentation; a test holds docs/lint.md to it. */
import { lintRules } from './rules/rules.ts'

export function rulesTable(): string {
  const rows = lintRules.map(({ id, title, severity, sources }, index) => {
    const clients = Object.entries(sources).map(([client, url]) => `[${client}](${url})`)
    return `| ${index + 1} | \`${id}\` | ${severity} | ${title} | ${clients.join(', ')} |`
  })
  return [
    '| | rule | severity | what it wants | who says so |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
