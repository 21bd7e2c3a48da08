import { lazy, Suspense } from 'react'
import { Loading } from '../spinner.tsx'
import styles from './json-editor.module.css'
import type { JsonDiffProps } from './json-editor-props.ts'

const MonacoDiff = lazy(async () => ({ default: (await import('./monaco-diff.tsx')).MonacoDiff }))

/** Two JSON texts next to each other in Monaco, which is loaded when it is first needed. Read-only. */
export function JsonDiff(props: JsonDiffProps) {
  return (
    <div className={styles.box}>
      <Suspense fallback={<Loading />}>
        <MonacoDiff {...props} />
      </Suspense>
    </div>
  )
}
