import { describe, expect, test } from 'vitest'
import heldOut from './cues.held-out.json' with { type: 'json' }
import labelled from './cues.labelled.json' with { type: 'json' }
import { findCues } from './cues.ts'

const isCalledDangerous = (text: string) =>
  findCues([{ kind: 'added', text }], new Set(['read_file', 'get_user']), 'own').some(cue => cue.isDangerous)

/** Texts by hand: those that a person should look at, and ordinary ones. The second file was not tuned to. */
describe('findCues', () => {
  test('judges all 44 labelled texts rightly', () => {
    expect(labelled.filter(({ text, dangerous }) => isCalledDangerous(text) !== dangerous)).toEqual([])
  })

  test('misjudges at most one of 20 held-out texts', () => {
    const wrong = heldOut.filter(({ text, dangerous }) => isCalledDangerous(text) !== dangerous)
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(1)
  })
})
