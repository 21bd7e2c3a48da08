import { Link } from '@tanstack/react-router'
import type { SourceState } from '../../../core/api/sources.ts'
import buttonStyles from '../../ui/button.module.css'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { FittingAction } from './fitting-action.tsx'
import { stateWords, stoppedText } from './source-status.ts'
import { texts } from './texts.ts'
import { useSourceActions } from './use-source-actions.ts'

/** Returns the source of a tool's reference if its tools are not in the catalog because it is not open. */
export function findClosedSource(toolRef: string, sources: readonly SourceState[]): SourceState | undefined {
  return sources.find(
    ({ name, status }) => toolRef.startsWith(`${name}/`) && status !== 'ready' && status !== 'degraded',
  )
}

/** Shown instead of a tool whose source is not open: the source's state, and a button that opens it. */
export function ClosedSource({ source }: { readonly source: SourceState }) {
  const actions = useSourceActions(source)
  const { name, status, error } = source
  return (
    <EmptyState
      title={`${name} ${stateWords(source)}`}
      actions={
        <>
          <FittingAction source={source} actions={actions} />
          <Link to="/" search={{ about: name }} className={buttonStyles.button}>
            {texts.aboutSource}
          </Link>
        </>
      }
    >
      {status === 'stopped' && <p>{stoppedText(source)}</p>}
      <p>Open the source to use this tool.</p>
      <ErrorNote error={actions.error} {...(error && !actions.error && { shape: error })} />
    </EmptyState>
  )
}
