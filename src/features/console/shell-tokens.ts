/** Splits a shell script into tokens for colours and completion. It does not parse: an unknown token is a word. */

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

export interface ShellToken {
  readonly kind: TokenKind
  readonly text: string
  /** Offset of its first character. */
  readonly at: number
}

const keywords = new Set(
  'if then elif else fi for in while until do done case esac function select time { } ! [['.split(' '),
)
/** Keywords that may also follow a word. */
const keywordsInside = new Set(['in', 'do', 'done', '}'])
/** Keywords that a command follows. */
const beforeCommand = new Set('if then elif else while until do time { !'.split(' '))

const patterns = {
  space: /[ \t]+|\\\n/y,
  comment: /#[^\n]*/y,
  single: /'[^']*'?/y,
  variable: /\$(?:\w+|[?#@*$!-]|\{[^}\n]*\}?)/y,
  operator: /\$\(|`|\n|&&|\|\||;;|[|&;()]|\d*(?:<<<|<<-?|>>|[<>]&?)/y,
  /** Text inside double quotes, up to the next special character. */
  quoted: /(?:\\[\s\S]|[^"$`\\])+/y,
  word: /(?:\\[\s\S]|[^\s'"$`|&;()<>\\])+/y,
}

/** Returns the tokens of `text` in order; joined they are `text` again. Takes linear time. */
export function shellTokens(text: string): ShellToken[] {
  const tokens: ShellToken[] = []
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

  const pushQuoted = () => {
    const variable = match(patterns.variable)
    if (text[at] === '"') {
      inside.pop()
      push('string', '"')
    } else if (text.startsWith('$(', at)) {
      inside.push('(')
      push('operator', '$(')
      expectsCommand = true
    } else if (variable !== undefined) push('variable', variable)
    else push('string', match(patterns.quoted) ?? text.slice(at, at + 1))
  }

  const pushOperator = (operator: string) => {
    if (operator === '$(' || operator === '(') inside.push('(')
    const closes = operator === ')'
    if (closes && inside.at(-1) === '(') inside.pop()
    expectsCommand = !closes && !/[<>]/.test(operator)
    push('operator', operator)
  }

  const pushWord = (word: string) => {
    if (isAdjacent) push('word', word)
    else if (expectsCommand && keywords.has(word)) {
      expectsCommand = beforeCommand.has(word)
      push('keyword', word)
    } else if (keywordsInside.has(word)) {
      expectsCommand = word === 'do'
      push('keyword', word)
    } else if (expectsCommand && /^\w+\+?=/.test(word)) push('word', word)
    else if (expectsCommand) {
      expectsCommand = false
      push('command', word)
    } else push(word.startsWith('-') ? 'flag' : 'word', word)
  }

  const pushPart = (kind: TokenKind, part: string) => {
    expectsCommand = false
    push(kind, part)
  }

  const next = () => {
    if (inside.at(-1) === '"') return pushQuoted()
    const space = match(patterns.space)
    if (space !== undefined) return push('space', space)
    if (!isAdjacent && text[at] === '#') return push('comment', match(patterns.comment) ?? '#')
    const operator = match(patterns.operator)
    if (operator !== undefined) return pushOperator(operator)
    if (text[at] === '"') {
      inside.push('"')
      return pushPart('string', '"')
    }
    const single = match(patterns.single)
    if (single !== undefined) return pushPart('string', single)
    const variable = match(patterns.variable)
    if (variable !== undefined) return pushPart('variable', variable)
    pushWord(match(patterns.word) ?? text.slice(at, at + 1))
  }

  while (at < text.length) next()
  return tokens
}
