import type { LiveState } from '../api/backend.ts'
import { useSources } from '../api/use-sources.ts'
import { CommandKeys } from '../commands/command-keys.tsx'
import { runCommand, useOffered } from '../commands/handlers.ts'
import { plural } from '../lib/format.ts'
import { Dot } from '../ui/badge.tsx'
import styles from './status-line.module.css'

/** The foot of the page: what is open, whether the server is heard, and the keys. */
export function StatusLine({ live }: { readonly live: LiveState }) {
  const { data: sources } = useSources()
  const offered = useOffered()
  const tools = sources?.reduce((sum, source) => sum + source.toolCount, 0)
  const failed = sources?.filter(source => source.status === 'failed').length ?? 0
  return (
    <footer className={styles.line}>
      {sources && (
        <span>
          {plural(tools ?? 0, 'tool')} · {plural(sources.length, 'source')}
          {failed > 0 && `, ${failed} failed`}
        </span>
      )}
      <span className="grow" />
      <span className="row" role="status">
        {live === 'lost' && (
          <>
            <Dot tone="bad" />
            <span className={styles.lost}>The server does not answer; trying again</span>
          </>
        )}
      </span>
      {offered.includes('breaking-only') && (
        <>
          <span className="row">
            <CommandKeys id="next" /> <CommandKeys id="previous" /> next change
          </span>
          <span className="row">
            <CommandKeys id="breaking-only" /> breaking only
          </span>
        </>
      )}
      <button type="button" className={styles.keys} onClick={() => runCommand('show-keys')}>
        <CommandKeys id="show-keys" /> keys
      </button>
    </footer>
  )
}
