import { Fragment, type ReactNode } from 'react'

/** Matches after `_ - . / :` and before a capital that starts a word: `max_|tokens`, `base|URL`, `HTTP|Server`. */
const wordEnds = /(?<=[_\-./:])(?=[^_\-./:])|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** Shorter names fit on one line. */
const maxShortLength = 16

/** Returns a name that wraps only between its words. Copying and searching find the same text. */
export function breakableName(name: string): ReactNode {
  if (name.length <= maxShortLength) return name
  return name.split(wordEnds).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a name never change places
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ))
}
