import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  instructionParts,
  renderInstructions,
  toolsText,
  variableEnvironmentName,
  variableValues,
} from './agent.ts'

describe('agent instructions', () => {
  test('fill in given and built-in variables, and leave unknown ones as they are', () => {
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

  test('do not read a value for variables again', () => {
    expect(renderInstructions('{{a}}', { a: '{{b}}', b: 'deep' })).toBe('{{b}}')
  })

  test('do not fill in names of Object.prototype', () => {
    expect(renderInstructions('{{constructor}} {{__proto__}}', {})).toBe('{{constructor}} {{__proto__}}')
  })

  test('stay as they are if no values are given', () => {
    const text = fc.array(fc.constantFrom('{{', '}}', 'name', '{', '}', ' ', '\n'), { maxLength: 40 })
    fc.assert(fc.property(text, pieces => renderInstructions(pieces.join(''), {}) === pieces.join('')))
  })
})

test('variableValues: prefers given values to defaults, and leaves out a variable without either', () => {
  const variables = [{ name: 'city', default: 'Oslo' }, { name: 'unit', default: 'C' }, { name: 'key' }]
  expect(variableValues(variables, { city: '', other: 'x' })).toEqual({ city: '', unit: 'C' })
})

test('variableEnvironmentName: gives a name in capitals, or null if the name is not possible', () => {
  expect(variableEnvironmentName('open-hours')).toBe('LLM_AGENT_VAR_OPEN_HOURS')
  expect(variableEnvironmentName('PATH=x')).toBeNull()
  expect(variableEnvironmentName('')).toBeNull()
})

test('toolsText: lists each tool with the first line of its description', () => {
  expect(toolsText([{ name: 'a', description: 'First.\nSecond.' }, { name: 'b' }])).toBe(
    '1. a: First.\n2. b: ',
  )
})
