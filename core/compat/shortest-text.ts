/** Finds a text of a language with a length in a range, the shortest first, or proves that no such text exists. */

import { type Behinds, type Language, type Languages, readableChar } from './language.ts'
import { type Budget, Undecided } from './proof-limits.ts'

interface SearchState {
  readonly language: Language
  /** The state of each look-behind; empty if the language has none. */
  readonly before: readonly Language[]
  readonly key: string
}

interface Reached {
  readonly state: SearchState
  readonly previous: Reached | undefined
  readonly code: number
  readonly length: number
}

/** The number of an expression's parts that cost one step. */
const weightOfStep = 16

export class TextSearch {
  private readonly languages: Languages
  private readonly budget: Budget

  constructor(languages: Languages, budget: Budget) {
    this.languages = languages
    this.budget = budget
  }

  /**
   * @returns undefined if no text of `min` to `max` code points is in the language
   * @throws Undecided beyond the maximum number of states
   */
  find(language: Language, min: number, max: number): string | undefined {
    if (min > max || language === this.languages.none) return undefined
    if (min > this.budget.limits.size) throw new Undecided(`a text of ${min} characters is too long to build`)
    const start: Reached = { state: this.start(language), previous: undefined, code: 0, length: 0 }
    let layer = new Map([[start.state.key, start]])
    let explored = 0
    for (let length = 0; length < min; length += 1) {
      const next = new Map<string, Reached>()
      for (const reached of layer.values()) {
        explored += 1
        this.count(explored, reached.state)
        for (const follower of this.successors(reached))
          if (!next.has(follower.state.key)) next.set(follower.state.key, follower)
      }
      layer = next
    }
    const seen = new Set(layer.keys())
    const queue = [...layer.values()]
    for (const reached of queue) {
      if (this.accepts(reached.state)) return buildText(reached)
      if (reached.length >= max) continue
      explored += 1
      this.count(explored, reached.state)
      for (const follower of this.successors(reached)) {
        if (seen.has(follower.state.key)) continue
        seen.add(follower.state.key)
        queue.push(follower)
      }
    }
    return undefined
  }

  /** Returns whether the text is in the language. Linear in the text. */
  matches(language: Language, text: string): boolean {
    let state = this.start(language)
    for (const char of text) {
      this.budget.step(1 + state.language.weight / weightOfStep)
      state = this.next(state, char.codePointAt(0) ?? 0)
      if (state.language === this.languages.none) return false
      if (state.language === this.languages.all) return true
    }
    return this.accepts(state)
  }

  private count(explored: number, { language }: SearchState): void {
    this.budget.step(1 + language.weight / weightOfStep)
    if (explored > this.budget.limits.states) throw new Undecided('the patterns have too many states')
  }

  private successors(reached: Reached): Reached[] {
    const { state } = reached
    const result: Reached[] = []
    for (const code of this.characters(state)) {
      const next = this.next(state, code)
      if (next.language === this.languages.none) continue
      result.push({ state: next, previous: reached, code, length: reached.length + 1 })
    }
    return result
  }

  /** Returns one character of each class, readable ones first. */
  private characters(state: SearchState): readonly number[] {
    const found = this.languages.classes([state.language, ...state.before]).map(readableChar)
    return found.filter(code => code !== undefined).sort((a, b) => readableRank(a) - readableRank(b))
  }

  private start(language: Language): SearchState {
    return this.state(language, language.conditional ? this.languages.behindsOf(language) : [])
  }

  private state(language: Language, before: readonly Language[]): SearchState {
    const relevant = language.conditional ? before : []
    return { language, before: relevant, key: [language, ...relevant].map(({ id }) => id).join() }
  }

  /** A look-behind may contain only earlier ones, so they are evaluated in order. */
  private truths(state: SearchState): Behinds {
    const truths: boolean[] = []
    for (const language of state.before) truths.push(this.languages.nullable(language, truths))
    return truths
  }

  private next(state: SearchState, code: number): SearchState {
    const truths = this.truths(state)
    const before = state.before.map(language => this.languages.derive(language, code, truths))
    return this.state(this.languages.derive(state.language, code, truths), before)
  }

  private accepts(state: SearchState): boolean {
    return this.languages.nullable(state.language, this.truths(state))
  }
}

function readableRank(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 0
  if (code >= 0x30 && code <= 0x39) return 1
  if (code >= 0x41 && code <= 0x5a) return 2
  return code >= 0x21 && code <= 0x7e ? 3 : 4
}

function buildText(end: Reached): string {
  const codes: number[] = []
  for (let at = end; at.previous; at = at.previous) codes.push(at.code)
  return codes
    .reverse()
    .map(code => String.fromCodePoint(code))
    .join('')
}
