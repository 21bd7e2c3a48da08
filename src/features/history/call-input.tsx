import type { StoredInvocation } from '../../../core/history/history.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './call-input.module.css'

/** Characters of the input that are drawn. */
const drawn = 50_000

/** The input as it was sent, set for reading: the same digits, other white space. */
export function CallInput({ call }: { readonly call: StoredInvocation }) {
  const reading = readJson(call.inputText)
  const text = reading.ok && reading.value !== undefined ? writeJson(reading.value) : call.inputText
  return (
    <section className={styles.input} aria-label="Input">
      <div className={styles.head}>
        <h3>Input</h3>
        {call.inputVerdict === 'invalid' && <Badge tone="warn">invalid</Badge>}
        {call.inputMasked && <Badge tone="info">secret fields left out</Badge>}
        {call.cut.length > 0 && <Badge tone="warn">{call.cut.join(', ')} kept in part</Badge>}
        <span className="grow" />
        <CopyButton label="Copy the input" text={() => call.inputText} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
      <pre className={styles.text} tabIndex={0}>
        {text.slice(0, drawn)}
      </pre>
      {text.length > drawn && <p className="muted">Only the beginning is shown; Copy has all of it.</p>}
    </section>
  )
}
