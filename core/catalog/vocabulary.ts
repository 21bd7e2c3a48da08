import { eachToken } from './text.ts'

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
  matchTypos(word: string, each: (token: string, places: readonly number[]) => void): void {
    for (const [token, places] of this.places) if (fitsWithOneTypo(token, word)) each(token, places)
  }
}

/**
 * Does a token begin with the word, give or take one slip: a letter wrong, missing, too many, or two swapped?
 * Words under five letters must fit the whole token, or nearly everything would match. Words under three never do.
 */
export function fitsWithOneTypo(token: string, word: string): boolean {
  if (word.length < 3 || token.length < word.length - 1) return false
  if (word.length < 5 && token.length > word.length + 1) return false
  let same = 0
  while (same < word.length && token.charCodeAt(same) === word.charCodeAt(same)) same += 1
  if (same === word.length) return true
  const fits = (rest: string, at: number) =>
    word.length < 5 ? token.length === at + rest.length && token.endsWith(rest) : token.startsWith(rest, at)
  const afterWrong = word.slice(same + 1)
  return (
    fits(afterWrong, same + 1) ||
    fits(afterWrong, same) ||
    fits(word.slice(same), same + 1) ||
    (same + 1 < word.length &&
      token.charCodeAt(same) === word.charCodeAt(same + 1) &&
      token.charCodeAt(same + 1) === word.charCodeAt(same) &&
      fits(word.slice(same + 2), same + 2))
  )
}
