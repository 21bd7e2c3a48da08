import { expect, it } from 'vitest'
import { dryRunText } from './dry-run.ts'
import { schemaError } from './schema-error.ts'

const missing = { path: '/id', keyword: 'required', message: 'is required' }
const wrong = { path: '/role', keyword: 'enum', message: 'must be one of "admin"' }

it('says what the seed system says of a missing property', () => {
  expect(schemaError({ verdict: 'invalid', issues: [wrong, missing] })).toBe(
    "schema error: required property 'id' is missing",
  )
})

it('names the place of anything else, and counts the rest', () => {
  expect(schemaError({ verdict: 'invalid', issues: [wrong], more: 2 })).toBe(
    `schema error: property 'role' must be one of "admin" (and 2 more)`,
  )
  expect(schemaError({ verdict: 'valid', issues: [] })).toBeNull()
  expect(schemaError({ verdict: 'unchecked', issues: [], note: 'slow' })).toBeNull()
})

it('prints a dry run with its keys in order', () => {
  expect(dryRunText('t', { id: 1 }, { verdict: 'valid', issues: [] })).toBe(
    '{"dry_run":true,"params":{"id":1},"tool":"t","valid":true}\n',
  )
  expect(dryRunText('t', {}, { verdict: 'invalid', issues: [missing] })).toBe(
    '{"dry_run":true,"errors":[{"message":"is required","path":"/id"}],"params":{},"tool":"t","valid":false}\n',
  )
})
