import { expect, it } from 'vitest'
import type { Version } from '../../../core/api/versions.ts'
import { effectivePick } from './timeline.tsx'

const version = (reference: string): Version => ({
  reference,
  name: reference,
  time: '2026-11-21T00:00:00Z',
  kind: 'snapshot',
  labels: [],
})
const versions = ['s@3', 's@2', 's@1'].map(version)

it('effectivePick: takes the newest version and the one before it until the user picks', () => {
  const nothing = { a: undefined, b: undefined }
  expect(effectivePick(versions, nothing)).toEqual({ a: 's@2', b: 's@3' })
  expect(effectivePick(versions, { a: 's@1', b: undefined })).toEqual({ a: 's@1', b: 's@3' })
  expect(effectivePick(versions, { a: undefined, b: 's@2' })).toEqual({ a: 's@1', b: 's@2' })
  expect(effectivePick(versions, { a: undefined, b: 's@1' })).toEqual({ a: 's@3', b: 's@1' })
  expect(effectivePick([], nothing)).toEqual(nothing)
  const [first = version('s@3'), ...older] = versions
  const commit: Version = { ...version('git:1:tools.json'), kind: 'git' }
  expect(effectivePick([first, commit, ...older], nothing)).toEqual({ a: 's@2', b: 's@3' })
})

it('effectivePick: forgets versions that are no longer listed', () => {
  expect(effectivePick(versions, { a: 's@9', b: 's@8' })).toEqual({ a: 's@2', b: 's@3' })
})
