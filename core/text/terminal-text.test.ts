import { expect, test } from 'vitest'
import { plainJson, visibleName } from './plain-text.ts'
import { terminalLine, terminalText } from './terminal-text.ts'

test('terminalText: replaces what steers a terminal or reorders text, and keeps line breaks and tabs', () => {
  expect(terminalText('a\u001b]0;x\u0007b\u009b1mc\u202ed\u2066e\rf\u2028g\n\th ğ👩‍🚀')).toBe(
    'a�]0;x�b�1mc�d�e�f�g\n\th ğ👩‍🚀',
  )
  expect(terminalLine('  a\nb\r\nc\td')).toBe('  a b c d')
})

test('visibleName: shows characters that cannot be seen', () => {
  expect(visibleName('line\nbreak\u0000 \u202eevil ğ')).toBe('line\\nbreak\\u0000 \\u202eevil ğ')
})

test('terminalText: disarms commands to a CI system, except those of Toolscope', () => {
  expect(terminalText('::error::x\n  ::set-output name=a::b\na ::ok:: std::move')).toBe(
    ': :error::x\n  : :set-output name=a::b\na ::ok:: std::move',
  )
  expect(terminalText('a ##[error]x ##vso[task.complete] ##teamcity[x] ### b')).toBe(
    'a ## [error]x ## vso[task.complete] ## teamcity[x] ### b',
  )
  expect(terminalText('::error title=a::##[x', 'workflow commands')).toBe('::error title=a::## [x')
})

test('terminalText: keeps colours only in a text that is said to have some', () => {
  expect(terminalText('\u001b[31mred\u001b[0m \u001b[2J', 'colours')).toBe('\u001b[31mred\u001b[0m �[2J')
  expect(terminalText('\u001b[31mred')).toBe('�[31mred')
})

test('plainJson: passes terminalText unchanged, and means the same', () => {
  const value = { text: '::error::\n##[error]\u001b\u009b\u202e\u061c\u2028\ufeff\u{e0041}' }
  expect(terminalText(plainJson(value))).toBe(plainJson(value))
  expect(JSON.parse(plainJson(value))).toEqual(value)
})
