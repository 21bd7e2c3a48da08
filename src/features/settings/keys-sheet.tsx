import { Fragment } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import { Kbd } from '../../ui/shortcuts/kbd.tsx'
import { formatKeys } from '../../ui/shortcuts/match-shortcut.ts'
import { shortcuts } from '../../ui/shortcuts/shortcuts.ts'
import { isMac } from '../../ui/shortcuts/use-shortcut-keys.ts'
import { useStore } from '../../ui/store.ts'
import styles from './keys-sheet.module.css'
import { singleLetters } from './settings.ts'

/** Keys that a list understands by itself while the focus is in it. */
const listKeys = [
  { title: 'Move in the list', keys: '↑ ↓' },
  { title: 'Fold and unfold', keys: '← →' },
  { title: 'Open', keys: '⏎' },
]

interface KeysSheetProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Every key, made from the list of shortcuts. */
export function KeysSheet({ open, onOpenChange }: KeysSheetProps) {
  const letters = useStore(singleLetters)
  const withKeys = shortcuts.filter(shortcut => shortcut.keys.length > 0)
  const groups = [...new Set(withKeys.map(shortcut => shortcut.group))]
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keys">
      <div className={join('stack', styles.sheet)}>
        {!letters && <p className="muted">Single-letter keys are switched off in the settings.</p>}
        {groups.map(group => (
          <section key={group} className={styles.group}>
            <h3 className="note">{group}</h3>
            <dl className={styles.list}>
              {group === 'Catalog' &&
                listKeys.map(each => (
                  <Fragment key={each.title}>
                    <dt>{each.title}</dt>
                    <dd>
                      <Kbd keys={each.keys} />
                    </dd>
                  </Fragment>
                ))}
              {withKeys
                .filter(shortcut => shortcut.group === group)
                .map(shortcut => (
                  <Fragment key={shortcut.id}>
                    <dt>{shortcut.title}</dt>
                    <dd className="row">
                      {shortcut.keys.map(chord => (
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
