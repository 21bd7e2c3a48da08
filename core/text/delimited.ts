/** The text of a cell; `undefined` if there is nothing between the delimiters, `''` for two quotes. */
export type Cell = string | undefined

/**
 * Parses text copied from a spreadsheet (tabs) and CSV (RFC 4180: commas, or semicolons if the first line has more of
 * them). A quoted cell may contain delimiters, line breaks and doubled quotes. A quote that is never closed, and a
 * closing quote with text after it, are ordinary characters. Rows without text are left out. Never throws.
 */
export function readDelimited(text: string): Cell[][] {
  const source = text.replace(/^\uFEFF/, '')
  const delimiter = detectDelimiter(source)
  const ends = `${delimiter}\\r\\n`
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"(?=[${ends}]|$)|([^${ends}]*)`, 'y')
  const rows: Cell[][] = []
  let row: Cell[] = []
  let at = 0
  while (at <= source.length) {
    cell.lastIndex = at
    const [whole = '', quoted, plain] = cell.exec(source) ?? []
    row.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'))
    at += whole.length
    if (source[at] !== delimiter) {
      rows.push(row)
      row = []
      if (source.startsWith('\r\n', at)) at++
    }
    at++
  }
  return rows.filter(each => each.some(value => value !== undefined))
}

function detectDelimiter(text: string): string {
  const unquoted = text.replace(/"[^"]*"/g, '')
  if (unquoted.includes('\t')) return '\t'
  const [line = ''] = unquoted.trimStart().split(/[\r\n]/, 1)
  return line.split(';').length > line.split(',').length ? ';' : ','
}
