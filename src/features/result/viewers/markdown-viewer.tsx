import { Markdown } from '../../../ui/markdown.tsx'
import styles from './content.module.css'

/** A text result read as markdown. */
export function MarkdownViewer({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section className={styles.content} aria-label="Result" tabIndex={0}>
      <Markdown text={text} />
    </section>
  )
}
