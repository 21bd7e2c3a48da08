import { expect, test } from 'vitest'
import { plainJson, visibleName } from './plain-text.ts'
import { terminalLine, terminalText } from './terminal-text.ts'

test('what steers a terminal or reorders its text is replaced; line breaks and tabs stay', () => {
  expect(terminalText('a\u001b]0;x\u0007b\u009b1mc\u202ed\u2066e\rf\u2028g\n\th ğ👩‍🚀')).toBe(
    'a�]0;x�b�1mc�d�e�f�g\n\th ğ👩‍🚀',
  )
  expect(terminalLine('  a\nb\r\nc\td')).toBe('  a b c d')
})

test('a name shows what cannot be seen in it', () => {
  expect(visibleName('line\nbreak\u0000 \u202eevil ğ')).toBe('line\\nbreak\\u0000 \\u202eevil ğ')
})

test('commands to a CI system are disarmed, ours stay where we mean them', () => {
  expect(terminalText('::error::x\n  ::set-output name=a::b\na ::ok:: std::move')).toBe(
    ': :error::x\n  : :set-output name=a::b\na ::ok:: std::move',
  )
  expect(terminalText('a ##[error]x ##vso[task.complete] ##teamcity[x] ### b')).toBe(
    'a ## [error]x ## vso[task.complete] ## teamcity[x] ### b',
  )
  expect(terminalText('::error title=a::##[x', 'workflow commands')).toBe('::error title=a::## [x')
})

test('colours stay only in a text that says that it has some', () => {
  expect(terminalText('\u001b[31mred\u001b[0m \u001b[2J', 'colours')).toBe('\u001b[31mred\u001b[0m �[2J')
  expect(terminalText('\u001b[31mred')).toBe('�[31mred')
})

test('JSON passes unchanged once it is escaped, and means the same', () => {
  const value = { text: '::error::\n##[error]\u001b\u009b\u202e\u061c\u2028\ufeff\u{e0041}' }
  expect(terminalText(plainJson(value))).toBe(plainJson(value))
  expect(JSON.parse(plainJson(value))).toEqual(value)
})
