import { Clock3, Star } from 'lucide-react'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import { useFavoriteTools, useRecentTools } from '../../ui/kept-tools.ts'
import { storage } from '../../ui/storage.ts'
import styles from './catalog.module.css'
import { texts } from './texts.ts'

const closedKey = 'toolscope:kept-tools-closed'
/** Recent tools beside the favorites; the palette has more. */
const maxRecents = 3

/** Favorites and the tools opened last, above the tree. Nothing while there are none of either. */
export function KeptToolsList({ selectedRef }: { readonly selectedRef: string | undefined }) {
  const go = useWorkbenchNavigate()
  const favorites = useFavoriteTools()
  const recents = useRecentTools()
    .filter(({ ref }) => ref !== selectedRef && favorites.every(each => each.ref !== ref))
    .slice(0, maxRecents)
  const rows = [
    ...favorites.map(tool => ({ tool, icon: Star, of: texts.favorite })),
    ...recents.map(tool => ({ tool, icon: Clock3, of: texts.recent })),
  ]
  if (rows.length === 0) return null
  return (
    <details
      className={styles.kept}
      open={storage.get(closedKey) === null}
      onToggle={event =>
        event.currentTarget.open ? storage.remove(closedKey) : storage.set(closedKey, 'yes')
      }
    >
      <summary className="note">{texts.favoritesAndRecent}</summary>
      <ul aria-label={texts.favoritesAndRecentTools}>
        {rows.map(({ tool, icon: Icon, of }) => (
          <li key={tool.ref}>
            <button
              type="button"
              className={join('hoverable', styles.keptTool)}
              onClick={() => go({ tool: tool.ref, about: undefined })}
            >
              <Icon size={13} role="img" aria-label={of} />
              <code className="truncate">{visibleName(tool.name)}</code>
              <span className="note truncate">{tool.source}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
