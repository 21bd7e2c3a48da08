import type { SourceChanged } from '../../core/api/events.ts'
import type { SeverityCounts } from '../../core/api/versions.ts'
import { toAppError } from '../../core/errors.ts'
import { plural } from './format.ts'
import { createStore } from './value-store.ts'

export interface Toast {
  readonly id: number
  readonly tone: 'bad' | 'warn' | 'info'
  readonly text: string
  /** The toast stays until it is dismissed. */
  readonly stays: boolean
  /** The two sides of the diff that the toast links to. */
  readonly diff?: { readonly a: string; readonly b: string }
  /** Undoes the reported action. */
  readonly undo?: () => void
}

/** The toasts that are shown, the newest last. */
export const toasts = createStore<readonly Toast[]>([])

/** Above this number the oldest toast is removed; one that stays is removed only if all stay. */
const maxToasts = 3
let lastId = 0

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id))
}

function show(toast: Omit<Toast, 'id'>): void {
  lastId += 1
  // A repeated toast replaces the earlier one.
  const others = toasts.get().filter(each => each.text !== toast.text || each.diff?.b !== toast.diff?.b)
  const next = [...others, { ...toast, id: lastId }]
  while (next.length > maxToasts) {
    const firstPassing = next.findIndex(each => !each.stays)
    next.splice(Math.max(0, firstPassing), 1)
  }
  toasts.set(next)
}

export function showNotice(text: string): void {
  show({ tone: 'warn', text, stays: true })
}

/** Shows an error that no other part of the page shows. */
export function showError(thrown: unknown): void {
  const { detail, hint } = toAppError(thrown).toShape()
  showNotice(`${detail} ${hint}`)
}

/** Reports a completed action of the user, and offers to undo it. */
export function showDone(text: string, undo: () => void): void {
  show({ tone: 'info', text, stays: false, undo })
}

/** Shows a toast for a changed source, unless no change has a severity (the order of the list). */
export function showSourceChanged({ source, cause, from, to, counts }: SourceChanged): void {
  const text = countsText(counts)
  // A user who changed a setting expects another list.
  if (text === '' || cause === 'settings changed') return
  show({
    tone: counts.breaking > 0 ? 'bad' : counts.dangerous > 0 ? 'warn' : 'info',
    text: `${source} changed: ${text}`,
    stays: counts.breaking > 0,
    diff: { a: from, b: to },
  })
}

/** Returns `1 breaking, 2 warnings`; empty if all counts are 0. */
export function countsText({ breaking, dangerous, warning, info }: SeverityCounts): string {
  return [
    breaking > 0 && `${breaking} breaking`,
    dangerous > 0 && `${dangerous} dangerous`,
    warning > 0 && plural(warning, 'warning'),
    info > 0 && `${info} info`,
  ]
    .filter(Boolean)
    .join(', ')
}
