/** What `toolscope bench` measured, as text, JSON and HTML. */
import { htmlPage } from '../report/html.ts'
import { escapeMarkup, oneLine, type TextStyle } from '../report/text.ts'
import { plainJson } from '../text/plain-text.ts'
import { counted, shorten } from '../text/wording.ts'
import { countText, rateText, shareText, timeText } from './quantities.ts'
import type { BenchResult } from './result.ts'

export const benchRenderers = {
  text: benchText,
  json: (result: BenchResult) => `${plainJson(result)}\n`,
  html: benchHtml,
}

const defaultColumns = 80
const maxColumns = 120
/** Of tools and of skipped examples, in the text. */
const maxLines = 10

/** Figures with their names, in the order of both reports. */
function figuresOf(result: BenchResult): readonly (readonly [name: string, text: string])[] {
  const { calls, errors, meanMs, p50Ms, p95Ms, p99Ms, maxMs, ratePerSecond, durationMs, unsent, load } =
    result
  const wanted = load.ratePerSecond
  const notSent = unsent === 0 ? '' : `, ${countText(unsent)} of them not sent`
  return [
    ['calls', `${countText(calls)} in ${timeText(durationMs)}${notSent}`],
    ['rate', `${rateText(ratePerSecond)}${wanted === undefined ? '' : ` of ${rateText(wanted)}`}`],
    ['errors', errors === 0 ? '0' : `${countText(errors)} (${shareText(errors, calls)})`],
    ['p50', timeText(p50Ms)],
    ['p95', timeText(p95Ms)],
    ['p99', timeText(p99Ms)],
    ['max', timeText(maxMs)],
    ['mean', timeText(meanMs)],
  ]
}

/** What was done: `echo · 4 calls at a time`. */
function titleOf({ tools, load }: BenchResult): string {
  const [tool] = tools
  const what = tool !== undefined && tools.length === 1 ? oneLine(tool.ref) : counted(tools.length, 'tool')
  const { concurrency = 1, ratePerSecond } = load
  const pace =
    ratePerSecond === undefined ? `${counted(concurrency, 'call')} at a time` : rateText(ratePerSecond)
  return `${what} · ${pace}`
}

/** What a reader must know before the figures are believed. */
function notesOf({ stopped, late, calls, load }: BenchResult): readonly string[] {
  const wanted = load.ratePerSecond
  return [
    ...(stopped ? ['Stopped before its end: these are the calls until then.'] : []),
    ...(calls === 0 ? ['No call ended.'] : []),
    ...(late > 0 && wanted !== undefined
      ? [
          `${counted(late, 'call')} waited for earlier ones to end (--max-calls). The times count from when a call was due.`,
        ]
      : []),
  ]
}

const conditionText = ({ condition, value, failed }: BenchResult['conditions'][number]) =>
  `${failed ? '✗' : '✓'} ${condition.replace(/\s*[<>].*/, '')}: ${value ?? 'not known'} (fails if ${condition})`

const skippedLine = ({ ref, name, message }: BenchResult['skipped'][number]) =>
  `${oneLine(ref)} · ${oneLine(name)} · skipped: ${oneLine(message)}`

function benchText(result: BenchResult, { colour, columns = defaultColumns }: TextStyle): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const width = Math.max(40, Math.min(maxColumns, columns))
  const { errorGroups, errors, calls, conditions, skipped } = result
  const figures = figuresOf(result).map(
    ([name, text]) =>
      `  ${name.padEnd(8)}${name === 'errors' && errors > 0 ? paint(text, 31) : name === 'p95' ? paint(text, 1) : text}`,
  )
  const groups = errorGroups.map(({ reason, message, count }) =>
    shorten(`  ${countText(count).padStart(7)}  ${oneLine(reason)} · ${oneLine(message)}`, width),
  )
  const ungrouped = errors - errorGroups.reduce((sum, { count }) => sum + count, 0)
  const parts = [
    [paint(titleOf(result), 1), ...notesOf(result).map(note => `  ${paint(note, 33)}`)],
    calls === 0 ? [] : figures,
    barLines(result, width, bar => paint(bar, 36)),
    result.tools.length > 1 ? toolLines(result, width) : [],
    groups.length === 0
      ? []
      : ['  Errors', ...groups, ...(ungrouped > 0 ? [`  ${countText(ungrouped).padStart(7)}  others`] : [])],
    limited(skipped.map(each => shorten(`${paint('–', 33)} ${skippedLine(each)}`, width))),
    conditions.map(each => paint(conditionText(each), each.failed ? 31 : 32)),
  ]
  return `${parts
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`
}

const limited = (lines: readonly string[]) =>
  lines.length > maxLines ? [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more`] : lines

function barLines({ histogram }: BenchResult, width: number, paint: (bar: string) => string): string[] {
  const rows = histogram.map(({ fromMs, toMs, count }) => ({
    from: timeText(fromMs),
    to: timeText(toMs),
    count,
    text: countText(count),
  }))
  const most = Math.max(...histogram.map(({ count }) => count))
  const longest = (texts: readonly string[]) => Math.max(...texts.map(text => text.length))
  const [from, to, text] = [
    rows.map(row => row.from),
    rows.map(row => row.to),
    rows.map(row => row.text),
  ].map(longest)
  const room = Math.max(5, width - (from ?? 0) - (to ?? 0) - (text ?? 0) - 9)
  return rows.map(row => {
    const bar = barOf((row.count / most) * room)
    return `  ${row.from.padStart(from ?? 0)} – ${row.to.padStart(to ?? 0)}  ${paint(bar)} ${row.text}`
  })
}

/** A bar of this many columns, in eighths; something where it is more than 0. */
function barOf(columns: number): string {
  const eighths = Math.ceil(columns * 8)
  return '█'.repeat(Math.floor(eighths / 8)) + (' ▏▎▍▌▋▊▉'[eighths % 8] ?? '').trim()
}

const toolColumns = ['calls', 'errors', 'p50', 'p95', 'p99', 'max'] as const

/** A row a tool, the slowest first. */
function toolRows({ tools }: BenchResult): readonly (readonly string[])[] {
  return tools
    .toSorted((a, b) => b.p95Ms - a.p95Ms)
    .map(({ ref, calls, errors, p50Ms, p95Ms, p99Ms, maxMs }) => [
      oneLine(ref),
      countText(calls),
      countText(errors),
      ...[p50Ms, p95Ms, p99Ms, maxMs].map(timeText),
    ])
}

function toolLines(result: BenchResult, width: number): readonly string[] {
  const rows = [['tool', ...toolColumns], ...toolRows(result)]
  const widths = ['tool', ...toolColumns].map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0)),
  )
  const rest = widths.slice(1).reduce((sum, each) => sum + each + 2, 2)
  const nameWidth = Math.min(widths[0] ?? 0, Math.max(10, width - rest))
  const lines = rows.map(([name = '', ...cells]) => {
    const aligned = cells.map((cell, index) => `  ${cell.padStart(widths[index + 1] ?? 0)}`)
    return `  ${shorten(name, nameWidth).padEnd(nameWidth)}${aligned.join('')}`
  })
  return limited(lines)
}

function benchHtml(result: BenchResult): string {
  const text = (value: string) => escapeMarkup(oneLine(value))
  const { histogram, tools, errorGroups, skipped, conditions } = result
  const most = Math.max(...histogram.map(({ count }) => count))
  const ranges = histogram.map(({ fromMs, toMs, count }) => [
    `${timeText(fromMs)} – ${timeText(toMs)}`,
    countText(count),
    `<div class="bar" style="width:${((count / most) * 100).toFixed(1)}%"></div>`,
  ])
  const sections = [
    ...notesOf(result).map(note => `<p class="warning">${text(note)}</p>`),
    `<dl>${figuresOf(result)
      .map(([name, value]) => `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`)
      .join('')}</dl>`,
    list(
      conditions.map(
        each => `<span class="${each.failed ? 'breaking' : 'good'}">${text(conditionText(each))}</span>`,
      ),
    ),
    table('times', 'How long the calls took', ['time', 'calls', ''], ranges),
    ...(tools.length > 1
      ? [
          table(
            'tools',
            'Tools, the slowest first',
            ['tool', ...toolColumns],
            toolRows(result).map(row => row.map(text)),
          ),
        ]
      : []),
    table(
      'errors',
      'Errors',
      ['reason', 'calls', 'message'],
      errorGroups.map(({ reason, message, count }) => [text(reason), countText(count), text(message)]),
    ),
    list(skipped.map(each => text(skippedLine(each)))),
  ]
  return htmlPage(
    titleOf(result),
    sections.filter(section => section !== ''),
    styles,
  )
}

const list = (items: readonly string[]) =>
  items.length === 0 ? '' : `<ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`

/** A wide one scrolls in a box of its own. @param rows cells as markup; the first of each names its row */
function table(
  kind: 'times' | 'tools' | 'errors',
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return ''
  const head = heads.map(name => (name === '' ? '<td></td>' : `<th scope="col">${name}</th>`)).join('')
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${first}</th>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`,
  )
  return `<div class="box" role="group" tabindex="0" aria-label="${caption}"><table class="${kind}"><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`
}

const styles = `
dl{display:flex;flex-wrap:wrap;gap:8px 24px}dt{color:var(--muted);font-size:12px}dd{margin:0;font-size:16px}
.box{overflow-x:auto;margin:16px 0}table{border-collapse:collapse}caption{text-align:left;font-weight:600;padding:4px 0}
th,td{padding:2px 16px 2px 0;text-align:left;white-space:nowrap;font-weight:400}thead th{color:var(--muted)}
.tools tbody th,.errors td:last-child{white-space:normal;overflow-wrap:anywhere;min-width:10em}
.times{width:100%}.times td:last-child{width:90%}
.bar{height:12px;min-width:1px;background:var(--green)}ul{padding-left:20px}.good{color:var(--green)}
`
