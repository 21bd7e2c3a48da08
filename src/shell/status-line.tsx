import type { SourceState } from '../../core/api/sources.ts'
import type { LiveState } from '../api/backend.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { useSources } from '../api/use-sources.ts'
import { RunningCalls } from '../features/result/running-calls.tsx'
import { healthTone } from '../features/sources/source-status.ts'
import { Dot } from '../ui/badge.tsx'
import { plural } from '../ui/format.ts'
import { ShortcutKeys } from '../ui/kbd.tsx'
import { runShortcut, useIsAvailable } from '../ui/shortcut-handlers.ts'
import styles from './shell.module.css'

interface StatusLineProps {
  readonly live: LiveState
  /** The ref of the open tool. */
  readonly openRef: string | undefined
}

/** The foot of the page: the open tool, the running calls, whether the server answers, and the keys. */
export function StatusLine({ live, openRef }: StatusLineProps) {
  const { data: sources } = useSources()
  const hasChanges = useIsAvailable('breaking-only')
  const isReadOnly = useRefusal('POST /api/invocations') !== undefined
  const isFixed = useRefusal('POST /api/sources') !== undefined
  const sum = (of: (source: SourceState) => number) => sources?.reduce((all, each) => all + of(each), 0) ?? 0
  const prompts = sum(({ surface }) => surface?.prompts ?? 0)
  const resources = sum(({ surface }) => (surface?.resources ?? 0) + (surface?.templates ?? 0))
  const skills = sum(({ surface }) => surface?.skills ?? 0)
  const failed = sources?.filter(source => healthTone(source) === 'bad').length ?? 0
  return (
    <footer className={styles.line}>
      {sources && (
        <span>
          {plural(
            sum(source => source.toolCount),
            'tool',
          )}{' '}
          · {prompts > 0 && `${plural(prompts, 'prompt')} · `}
          {resources > 0 && `${plural(resources, 'resource')} · `}
          {skills > 0 && `${plural(skills, 'skill')} · `}
          {plural(sources.length, 'source')}
          {failed > 0 && `, ${failed} failed`}
        </span>
      )}
      {isFixed && <span>{isReadOnly ? 'read-only' : 'fixed sources'}</span>}
      <span className="grow" />
      <span className="row" role="status">
        <RunningCalls openRef={openRef} />
        {live !== 'live' && (
          <>
            <Dot tone="bad" />
            <span className={styles.lost}>
              {live === 'lost' ? 'The server does not answer; trying again' : 'Signed out'}
            </span>
          </>
        )}
      </span>
      {hasChanges && (
        <>
          <span className="row">
            <ShortcutKeys id="next" /> <ShortcutKeys id="previous" /> next change
          </span>
          <span className="row">
            <ShortcutKeys id="breaking-only" /> breaking only
          </span>
        </>
      )}
      <button type="button" className={styles.keys} onClick={() => runShortcut('show-keys')}>
        <ShortcutKeys id="show-keys" /> Keyboard shortcuts
      </button>
    </footer>
  )
}
