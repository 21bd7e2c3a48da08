/** Text set in columns, for terminals. */

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const narrow = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Columns that a text takes in a terminal: East Asian and emoji characters take two, combining marks none. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) {
    if (character <= '\u007e') columns += 1
    else if (!narrow.test(character)) columns += wide.test(character) ? 2 : 1
  }
  return columns
}

/**
 * The text in lines of at most `width` columns, each after `indent` spaces. Its own line breaks stay, and so does the
 * indentation of its lines; a word longer than a line stays whole (an address must stay one).
 */
export function wrap(text: string, width: number, indent: number): string[] {
  const room = Math.max(20, width - indent)
  const before = ' '.repeat(indent)
  return text.split('\n').flatMap(line => {
    const [own = ''] = /^ */.exec(line) ?? []
    const kept = own.slice(0, Math.floor(room / 2))
    return wrapLine(line.slice(own.length), room - kept.length).map(part =>
      part === '' ? '' : `${before}${kept}${part}`,
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
