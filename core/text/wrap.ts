/** Text in lines of limited width, for terminals. */
import columnsOf from 'fast-string-width'

/**
 * The text in lines of at most `width` columns, each after `indent` spaces. Its own line breaks and the indentation of its
 * lines stay. A word longer than a line is not split, so that an address can be copied.
 */
export function wrap(text: string, width: number, indent: number): string[] {
  const room = Math.max(20, width - indent)
  return text.split('\n').flatMap(line => {
    const [leading = ''] = /^ */.exec(line) ?? []
    const kept = leading.slice(0, Math.floor(room / 2))
    return wrapLine(line.slice(leading.length), room - kept.length).map(part =>
      part === '' ? '' : `${' '.repeat(indent)}${kept}${part}`,
    )
  })
}

function wrapLine(line: string, room: number): string[] {
  const lines: string[] = []
  let current = ''
  let columns = 0
  for (const word of line.split(' ')) {
    const needed = columnsOf(word)
    if (current !== '' && columns + 1 + needed > room) {
      lines.push(current.trimEnd())
      current = word
      columns = needed
    } else {
      current = current === '' ? word : `${current} ${word}`
      columns += columns === 0 ? needed : needed + 1
    }
  }
  return [...lines, current.trimEnd()]
}
