import { Fragment, type ReactNode } from 'react'

/** After `_ - . / :` and before a capital that starts a word: `max_|tokens`, `base|URL`, `HTTP|Server`. */
const wordEnds = /(?<=[_\-./:])(?=[^_\-./:])|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** Shorter names fit in one line. */
const maxShortLength = 16

/** A name that breaks between its words alone; copied and searched it is the same text. */
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
