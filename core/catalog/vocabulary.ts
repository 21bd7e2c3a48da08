import { eachToken } from './text.ts'
import { fitsWithOneTypo } from './typo.ts'

/** The distinct words of many texts, and in which texts each stands. */
export class Vocabulary {
  private readonly places = new Map<string, number[]>()

  constructor(texts: readonly string[]) {
    texts.forEach((text, index) => {
      eachToken(text, token => {
        const known = this.places.get(token)
        if (known === undefined) this.places.set(token, [index])
        else if (known.at(-1) !== index) known.push(index)
      })
    })
  }

  /** Calls `each` for every token that is the word with one typo, with the texts that hold it. */
  nearly(word: string, each: (token: string, places: readonly number[]) => void): void {
    for (const [token, places] of this.places) if (fitsWithOneTypo(token, word)) each(token, places)
  }
}
