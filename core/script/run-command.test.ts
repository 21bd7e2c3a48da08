import { describe, expect, it } from 'vitest'
import type { EndedEvent } from '../tool/invocation.ts'
import { dryRunText, schemaError, toolOutput } from './run-command.ts'

const timing = { startedAt: '2026-01-01T00:00:00Z', durationMs: 1 }
const fine = { verdict: 'valid', issues: [] } as const

function result(parts: Partial<Extract<EndedEvent, { type: 'result' }>>): EndedEvent {
  return { type: 'result', content: [], validation: fine, timing, ...parts }
}

describe('toolOutput', () => {
  it('gives the structured result exactly, or else the text of the content', () => {
    const exact = result({ structuredContent: { id: 1 }, raw: '{"id":9007199254740993}' })
    expect(toolOutput('t', exact, 100)).toEqual({
      stdout: '{"id":9007199254740993}\n',
      stderr: '',
      exitCode: 0,
    })
    const noisy = result({ structuredContent: { id: 1 }, raw: 'loading… {"id":1}' })
    expect(toolOutput('t', noisy, 100).stdout).toBe('{"id":1}\n')
    const text = result({
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
    })
    expect(toolOutput('t', text, 100).stdout).toBe('one\ndata:image/png;base64,AA==\n')
    expect(toolOutput('t', result({}), 100).stdout).toBe('')
  })

  it('gives an output that breaks its schema, with a warning', () => {
    const issue = { path: '/id', keyword: 'type', message: 'must be a string, is number 1' }
    const broken = result({
      structuredContent: { id: 1 },
      validation: { verdict: 'invalid', issues: [issue, issue], more: 3 },
    })
    expect(toolOutput('t', broken, 100)).toEqual({
      stdout: '{"id":1}\n',
      stderr: 't: warning: output invalid (5): id: must be a string, is number 1\n',
      exitCode: 0,
    })
  })

  it('says on stderr why a call failed, once', () => {
    const failed: EndedEvent = {
      type: 'failure',
      reason: 'tool-error',
      message: 'no such user',
      hint: 'List them first.',
      content: [{ type: 'text', text: 'no such user\nid 7' }],
      isError: true,
      validation: fine,
      timing,
    }
    expect(toolOutput('t', failed, 100)).toEqual({
      stdout: '',
      stderr: 't: no such user\nid 7\nList them first.\n',
      exitCode: 1,
    })
  })

  it('gives nothing instead of half a document', () => {
    const long = result({ structuredContent: ['x'.repeat(200)] })
    const { stdout, stderr, exitCode } = toolOutput('t', long, 100)
    expect([stdout, exitCode]).toEqual(['', 1])
    expect(stderr).toContain('a script takes 100')
  })
})

const missing = { path: '/id', keyword: 'required', message: 'missing required value' }
const wrong = { path: '/role', keyword: 'enum', message: 'must be one of "admin"' }

it('schemaError: names a missing property in the words of the seed system', () => {
  expect(schemaError({ verdict: 'invalid', issues: [wrong, missing] })).toBe(
    "schema error: required property 'id' is missing",
  )
})

it('schemaError: names the location of any other issue', () => {
  expect(schemaError({ verdict: 'invalid', issues: [wrong], more: 2 })).toBe(
    'schema error: input.role is not an allowed value',
  )
  expect(schemaError({ verdict: 'valid', issues: [] })).toBeNull()
  expect(schemaError({ verdict: 'unchecked', issues: [], note: 'slow' })).toBeNull()
})

it('dryRunText: prints a dry run with its keys in order', () => {
  expect(dryRunText('t', { id: 1 }, { verdict: 'valid', issues: [] })).toBe(
    '{"dry_run":true,"params":{"id":1},"tool":"t","valid":true}\n',
  )
  expect(dryRunText('t', {}, { verdict: 'invalid', issues: [missing] })).toBe(
    '{"dry_run":true,"errors":[{"message":"missing required value","path":"/id"}],"params":{},"tool":"t","valid":false}\n',
  )
})
