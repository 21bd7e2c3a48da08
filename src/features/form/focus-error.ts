import type { ValidationIssue } from '../../../core/call/invocation.ts'
import { pointerSegments, toPointer } from '../../../core/json/pointer.ts'
import styles from './form.module.css'

const besideRow = `:scope > :not(.${styles.row})`
const controls = 'input:not([tabindex="-1"]):not([hidden]), select, textarea, button'

/** Moves the focus to the first control, from the top, that has an issue; to its holder's where it is not drawn. */
export function focusFirstError(host: HTMLElement | null, issues: readonly ValidationIssue[]): void {
  if (!host) return
  const wanted = new Set(issues.map(issue => nearestDrawn(host, issue.path)))
  const field = [...host.querySelectorAll<HTMLElement>('[data-path]')].find(element =>
    wanted.has(element.dataset.path),
  )
  const control = field?.querySelector<HTMLElement>(
    `${besideRow} ${controls.replaceAll(', ', `, ${besideRow} `)}`,
  )
  const direct = field?.querySelector<HTMLElement>(`:scope > ${controls.replaceAll(', ', ', :scope > ')}`)
  const target = direct ?? control ?? field?.querySelector<HTMLElement>(controls)
  target?.focus()
  target?.scrollIntoView({ block: 'center' })
}

function nearestDrawn(host: HTMLElement, pointer: string): string | undefined {
  const segments = pointerSegments(pointer)
  for (let length = segments.length; length > 0; length--) {
    const candidate = toPointer(segments.slice(0, length))
    if (host.querySelector(`[data-path="${CSS.escape(candidate)}"]`)) return candidate
  }
  return segments.length === 0 ? '' : undefined
}
