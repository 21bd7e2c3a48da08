import { useSources } from '../../api/use-sources.ts'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { Dot } from '../../ui/badge.tsx'
import styles from './source-chips.module.css'
import { healthSentence, healthText, healthTones } from './source-status.ts'

/** Every source with its health; a chip opens the source's own page. */
export function SourceChips() {
  const { data: sources = [] } = useSources()
  const { about } = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  return (
    <nav className={styles.chips} aria-label="Sources">
      {sources.map(source => (
        <button
          key={source.name}
          type="button"
          className={styles.chip}
          aria-current={about === source.name ? 'page' : undefined}
          aria-label={healthSentence(source)}
          title={source.error?.detail.slice(0, 300)}
          onClick={() => go({ about: source.name, tool: undefined, tab: undefined })}
        >
          <Dot tone={healthTones[source.status]} />
          <span className="truncate">{source.name}</span>
          <span className={styles.count}>{healthText(source)}</span>
        </button>
      ))}
    </nav>
  )
}
