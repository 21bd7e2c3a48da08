import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  instructionParts,
  renderInstructions,
  toolsText,
  variableEnvironmentName,
  variableValues,
} from './agent.ts'

describe('instructions', () => {
  test('take variables and built-in ones, and leave unknown ones as they stand', () => {
    const text = 'You serve {{shop}} on {{__os__}}.\n{{missing}} {{ spaced }} {{a-b}}'
    expect(renderInstructions(text, { shop: 'Ada’s', __os__: 'linux' })).toBe(
      'You serve Ada’s on linux.\n{{missing}} {{ spaced }} {{a-b}}',
    )
    expect(instructionParts('a{{x}}{{y}}', { x: '1' })).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'variable', name: 'x', value: '1' },
      { kind: 'unknown', name: 'y' },
    ])
  })

  test('are replaced once: a value is never read for variables again', () => {
    expect(renderInstructions('{{a}}', { a: '{{b}}', b: 'deep' })).toBe('{{b}}')
  })

  test('know no variable that nobody gave', () => {
    expect(renderInstructions('{{constructor}} {{__proto__}}', {})).toBe('{{constructor}} {{__proto__}}')
  })

  test('without values are rendered as they are, and parts always join to the whole', () => {
    const text = fc.array(fc.constantFrom('{{', '}}', 'name', '{', '}', ' ', '\n'), { maxLength: 40 })
    fc.assert(fc.property(text, pieces => renderInstructions(pieces.join(''), {}) === pieces.join('')))
  })
})

test('given values go before defaults, and a variable without either is absent', () => {
  const variables = [{ name: 'city', default: 'Oslo' }, { name: 'unit', default: 'C' }, { name: 'key' }]
  expect(variableValues(variables, { city: '', other: 'x' })).toEqual({ city: '', unit: 'C' })
})

test('environment names are capitals, and only possible ones', () => {
  expect(variableEnvironmentName('open-hours')).toBe('LLM_AGENT_VAR_OPEN_HOURS')
  expect(variableEnvironmentName('PATH=x')).toBeNull()
  expect(variableEnvironmentName('')).toBeNull()
})

test('the tools as text', () => {
  expect(toolsText([{ name: 'a', description: 'First.\nSecond.' }, { name: 'b' }])).toBe(
    '1. a: First.\n2. b: ',
  )
})
