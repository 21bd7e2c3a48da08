import { expect, it } from 'vitest'
import { getAppUri, getToolCallers, isForAppsOnly } from './tool-app.ts'

const withMeta = (_meta: unknown) => ({ extra: { _meta } })

it('app of a tool: reads both keys, and only addresses of apps', () => {
  expect(getAppUri(withMeta({ ui: { resourceUri: 'ui://a/b.html' } }))).toBe('ui://a/b.html')
  expect(getAppUri(withMeta({ 'ui/resourceUri': 'ui://flat' }))).toBe('ui://flat')
  const both = { 'ui/resourceUri': 'ui://flat', ui: { resourceUri: 'ui://nested' } }
  expect(getAppUri(withMeta(both))).toBe('ui://nested')
  for (const resourceUri of [
    'https://a.example.com',
    'file:///etc/passwd',
    'ui://',
    'ui://a b',
    7,
    null,
    ['ui://a'],
  ])
    expect(getAppUri(withMeta({ ui: { resourceUri } }))).toBeUndefined()
  expect(getAppUri({})).toBeUndefined()
  expect(getAppUri({ kind: 'resource', ...withMeta(both) })).toBeUndefined()
})

it('callers of a tool: both unless its server limits them', () => {
  const callersOf = (visibility: unknown) => getToolCallers(withMeta({ ui: { visibility } }))
  expect(callersOf(undefined)).toEqual(['model', 'app'])
  expect(callersOf('app')).toEqual(['model', 'app'])
  expect(callersOf(['app'])).toEqual(['app'])
  expect(callersOf(['model', 'someone'])).toEqual(['model'])
  expect(callersOf([])).toEqual([])
  expect(isForAppsOnly(withMeta({ ui: { visibility: ['app'] } }))).toBe(true)
  expect(isForAppsOnly(withMeta({ ui: { visibility: ['model', 'app'] } }))).toBe(false)
})
