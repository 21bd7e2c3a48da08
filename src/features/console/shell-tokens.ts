/** Splits a shell script into tokens for colours and completion. It is no parser: an unknown token is a word. */

export type TokenKind =
  | 'space'
  | 'comment'
  | 'string'
  | 'variable'
  | 'operator'
  | 'keyword'
  | 'command'
  | 'flag'
  | 'word'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** Offset of its first character. */
  readonly at: number
}

const keywords = new Set(
  'if then elif else fi for in while until do done case esac function select time { } ! [['.split(' '),
)
/** A command follows these keywords. */
const beforeCommand = new Set('if then elif else while until do time { !'.split(' '))

const patterns = {
  space: /[ \t]+|\\\n/y,
  comment: /#[^\n]*/y,
  single: /'[^']*'?/y,
  variable: /\$(?:\w+|[?#@*$!-]|\{[^}\n]*\}?)/y,
  operator: /\$\(|`|\n|&&|\|\||;;|[|&;()]|\d*(?:<<<|<<-?|>>|[<>]&?)/y,
  /** Inside double quotes, up to the next character with a meaning there. */
  quoted: /(?:\\[\s\S]|[^"$`\\])+/y,
  word: /(?:\\[\s\S]|[^\s'"$`|&;()<>\\])+/y,
}

/** The tokens of `text` in order; joined they are `text` again. Linear in its length. */
export function shellTokens(text: string): Token[] {
  const tokens: Token[] = []
  /** The open `"` and `(`, the innermost last. */
  const inside: ('"' | '(')[] = []
  let at = 0
  let expectsCommand = true
  let isAdjacent = false

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  const push = (kind: TokenKind, part: string) => {
    tokens.push({ kind, text: part, at })
    at += part.length
    isAdjacent = kind !== 'space' && kind !== 'operator'
  }

  while (at < text.length) {
    if (inside.at(-1) === '"') {
      const character = text[at]
      if (character === '"') {
        inside.pop()
        push('string', '"')
        continue
      }
      const substitution = text.startsWith('$(', at)
      if (substitution) {
        inside.push('(')
        push('operator', '$(')
        expectsCommand = true
        continue
      }
      push(
        match(patterns.variable) ? 'variable' : 'string',
        match(patterns.variable) ?? match(patterns.quoted) ?? text.slice(at, at + 1),
      )
      continue
    }
    const space = match(patterns.space)
    if (space !== undefined) {
      push('space', space)
      continue
    }
    if (!isAdjacent && text[at] === '#') {
      push('comment', match(patterns.comment) ?? '#')
      continue
    }
    const operator = match(patterns.operator)
    if (operator !== undefined) {
      if (operator === '$(' || operator === '(') inside.push('(')
      const closes = operator === ')'
      if (closes && inside.at(-1) === '(') inside.pop()
      expectsCommand = !closes && !/[<>]/.test(operator)
      push('operator', operator)
      continue
    }
    if (text[at] === '"') {
      inside.push('"')
      push('string', '"')
      expectsCommand = false
      continue
    }
    const single = match(patterns.single)
    const variable = single === undefined ? match(patterns.variable) : undefined
    if (single !== undefined || variable !== undefined) {
      push(single !== undefined ? 'string' : 'variable', single ?? variable ?? '')
      expectsCommand = false
      continue
    }
    const word = match(patterns.word) ?? text.slice(at, at + 1)
    if (isAdjacent) push('word', word)
    else if (expectsCommand && keywords.has(word)) {
      expectsCommand = beforeCommand.has(word)
      push('keyword', word)
    } else if (keywords.has(word) && (word === 'in' || word === 'do' || word === 'done' || word === '}')) {
      expectsCommand = word === 'do'
      push('keyword', word)
    } else if (expectsCommand && /^\w+\+?=/.test(word)) push('word', word)
    else if (expectsCommand) {
      expectsCommand = false
      push('command', word)
    } else push(word.startsWith('-') ? 'flag' : 'word', word)
  }
  return tokens
}
