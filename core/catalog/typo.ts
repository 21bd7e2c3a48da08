/**
 * Returns whether a token starts with the word, with at most one mistake: a letter wrong, missing or extra, or two
 * swapped. Words under five letters must match the whole token, because they would match almost everything. Words under
 * three never match.
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
