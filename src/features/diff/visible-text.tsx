import { type TextPart, visibleParts } from './visible-parts.ts'
import styles from './visible-text.module.css'

/** Hostile text, with the characters that hide in it drawn as their codes, and kept from turning its neighbours round. */
export function VisibleText({ text }: { readonly text: string }) {
  return <bdi>{visibleParts(text).map(drawPart)}</bdi>
}

function drawPart({ hidden, text }: TextPart, index: number) {
  if (!hidden) return text
  return (
    <span key={index} className={styles.hidden} title="These characters cannot be seen in the text">
      {text}
    </span>
  )
}
