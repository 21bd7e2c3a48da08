import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellTokens } from './shell-tokens.ts'

const kinds = (text: string) =>
  shellTokens(text)
    .filter(token => token.kind !== 'space')
    .map(({ kind, text: part }) => `${kind} ${part}`)

describe('shellTokens', () => {
  it('distinguishes commands, flags, operators and strings', () => {
    expect(kinds(`api_greet --name "Ada L" | jq -r .greeting # say it`)).toEqual([
      'command api_greet',
      'flag --name',
      'string "',
      'string Ada L',
      'string "',
      'operator |',
      'command jq',
      'flag -r',
      'word .greeting',
      'comment # say it',
    ])
  })

  it('finds the commands in loops and substitutions', () => {
    const commands = (text: string) =>
      shellTokens(text).flatMap(token => (token.kind === 'command' ? [token.text] : []))
    expect(commands('for i in a b; do t1 $i; done; if t2; then t3 && t4 || t5; fi')).toEqual(
      ['i', 't1', 't2', 't3', 't4', 't5'].slice(1),
    )
    expect(commands('x=$(t1 --a "$(t2)"); y="a $(t3) b"; (t4); t5 > /tmp/f')).toEqual([
      't1',
      't2',
      't3',
      't4',
      't5',
    ])
  })

  it('keeps every character of any text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            'a',
            '"',
            "'",
            '$',
            '(',
            ')',
            '`',
            '\\',
            '\n',
            ' ',
            '#',
            '|',
            '{',
            '<',
            '-',
            '=',
          ),
        }),
        text => {
          const tokens = shellTokens(text)
          expect(tokens.map(token => token.text).join('')).toBe(text)
          for (const token of tokens) expect(text.startsWith(token.text, token.at)).toBe(true)
        },
      ),
    )
  })

  it('reads megabytes of hostile text in less than five seconds', () => {
    // Time of the processor: the machine may be busy with other tests.
    const started = process.cpuUsage()
    for (const part of ['"$(', "'", 'a ', '${', '\\', '# x\n']) shellTokens(part.repeat(200_000))
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000)
  })
})
