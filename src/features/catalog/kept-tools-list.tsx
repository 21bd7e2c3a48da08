import { Clock3, Star } from 'lucide-react'
import { memo, useState } from 'react'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import { recentTools, useFavoriteTools } from '../../ui/kept-tools.ts'
import { storage } from '../../ui/storage.ts'
import styles from './catalog.module.css'

const closedKey = 'toolscope:kept-tools-closed'
/** Recent tools beside the favorites; the palette has more. */
const maxRecents = 3

/**
 * Favorites and the tools that were opened last, above the tree; nothing while there are none of either. A tool that is
 * opened while the list is shown is not added: the tree below must not move under the pointer.
 */
export const KeptToolsList = memo(function KeptToolsList() {
  const go = useWorkbenchNavigate()
  const favorites = useFavoriteTools()
  const [opened] = useState(recentTools)
  const recents = opened.filter(({ ref }) => favorites.every(each => each.ref !== ref)).slice(0, maxRecents)
  const rows = [
    ...favorites.map(tool => ({ tool, icon: Star, of: 'Favorite' })),
    ...recents.map(tool => ({ tool, icon: Clock3, of: 'Recent' })),
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
      <summary className="note">Favorites and recent</summary>
      <ul aria-label="Favorites and recent tools">
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
})
