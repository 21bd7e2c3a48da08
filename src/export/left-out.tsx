import type { JsonDiffProps, JsonEditorProps } from '../ui/json-editor/json-editor-props.ts'
import { EmptyState } from '../ui/notes.tsx'
import styles from './left-out.module.css'

/*
 * Replaces the parts of the page that an export omits (see vite.config.ts): forms, calls, workers and the editor. The
 * read-only backend hides the links to them, so a call of `missing` is a bug.
 */

function missing(): never {
  throw new Error('An export has no forms and makes no calls')
}

export const InputEditor = missing
export const AppViewer = missing
export const ExamplesTab = missing
export const GeneratedTests = missing
export const exampleText = missing
export const defaultsText = missing

/** An export has no forms, so there is no input to validate. */
export async function findDraftIssues(): Promise<readonly []> {
  return []
}

/** Shown for the addresses of pages that an export lacks. */
function NotHere() {
  return <EmptyState title="This page is not part of an export">An export is for reading.</EmptyState>
}

export const ConsoleRoute = NotHere
export const HistoryRoute = NotHere
export const ReviewRoute = NotHere
export const WireRoute = NotHere
export const ComparePage = NotHere

/** Shows JSON as text instead of the editor. */
export function MonacoEditor({ text, label }: Pick<JsonEditorProps, 'text' | 'label'>) {
  return <textarea className={styles.text} aria-label={label} spellCheck={false} readOnly value={text} />
}

export function MonacoDiff({ before, after, label }: JsonDiffProps) {
  return (
    <div className={styles.sides}>
      <MonacoEditor label={`${label}: before`} text={before} />
      <MonacoEditor label={`${label}: after`} text={after} />
    </div>
  )
}
