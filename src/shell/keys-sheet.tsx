import { Fragment } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { join } from '../ui/join.ts'
import { Kbd } from '../ui/kbd.tsx'
import { formatKeys, isMac, shortcuts } from '../ui/shortcuts.ts'
import { useStore } from '../ui/value-store.ts'
import { singleLetters } from './settings.ts'
import styles from './shell.module.css'

/** All keys. The first ones are handled by a list itself while the focus is in it. */
const rows = [
  { group: 'Catalog', title: 'Move in the list', keys: ['↑ ↓'] },
  { group: 'Catalog', title: 'Collapse and expand', keys: ['← →'] },
  { group: 'Catalog', title: 'Open', keys: ['⏎'] },
  { group: 'Tool', title: 'New line in a text field', keys: ['⇧ ⏎'] },
  ...shortcuts.filter(shortcut => shortcut.keys.length > 0),
]
const groups = [...new Set(shortcuts.map(shortcut => shortcut.group))]

interface KeysSheetProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Lists every key, from the list of shortcuts. */
export function KeysSheet({ open, onOpenChange }: KeysSheetProps) {
  const letters = useStore(singleLetters)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className={join('stack', styles.sheet)}>
        {!letters && <p className="muted">Single-letter keys are switched off in the settings.</p>}
        {groups.map(group => (
          <section key={group} className={styles.group}>
            <h3 className="note">{group}</h3>
            <dl className={styles.list}>
              {rows
                .filter(row => row.group === group)
                .map(({ title, keys }) => (
                  <Fragment key={title}>
                    <dt>{title}</dt>
                    <dd className="row">
                      {keys.map(chord => (
                        <Kbd key={chord} keys={formatKeys(chord, isMac)} />
                      ))}
                    </dd>
                  </Fragment>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
