import { describe, expect, test } from 'vitest'
import heldOut from './cues.held-out.json' with { type: 'json' }
import labelled from './cues.labelled.json' with { type: 'json' }
import { findCues } from './cues.ts'

const isCalledDangerous = (text: string) =>
  findCues([{ kind: 'added', text }], new Set(['read_file', 'get_user']), 'own').some(cue => cue.isDangerous)

/** Texts by hand: those that a person should look at, and ordinary ones. The second file was not tuned to. */
describe('dangerous cues', () => {
  test('of 44 labelled texts all are judged rightly', () => {
    expect(labelled.filter(({ text, dangerous }) => isCalledDangerous(text) !== dangerous)).toEqual([])
  })

  test('of 20 texts that were held out at most one is judged wrongly', () => {
    const wrong = heldOut.filter(({ text, dangerous }) => isCalledDangerous(text) !== dangerous)
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(1)
  })
})
