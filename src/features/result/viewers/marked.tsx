import styles from './tree.module.css'

/** Characters in which matches are marked: a row shows few of a long text. */
const maxMarkedLength = 2_000

/** A text with what was searched for marked. */
export function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const [lower, sought] = [text.toLowerCase(), wanted.toLowerCase()]
  // A letter may take more room in lower case: then positions do not fit.
  if (sought === '' || lower.length !== text.length) return text
  const parts: (string | React.JSX.Element)[] = []
  let from = 0
  for (let at = lower.indexOf(sought); at >= 0 && at < maxMarkedLength; at = lower.indexOf(sought, from)) {
    const end = at + sought.length
    parts.push(
      text.slice(from, at),
      <mark key={at} className={styles.mark}>
        {text.slice(at, end)}
      </mark>,
    )
    from = end
  }
  return [...parts, text.slice(from)]
}
