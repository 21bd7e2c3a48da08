import { Fragment } from 'react'
import { commands } from '../../commands/commands.ts'
import { printKeys } from '../../commands/match-key.ts'
import { isMac } from '../../commands/use-keys.ts'
import { useStore } from '../../lib/store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './keys-sheet.module.css'
import { singleLetters } from './single-letters.ts'

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

/** Every key, made from the command list. */
export function KeysSheet({ open, onOpenChange }: KeysSheetProps) {
  const letters = useStore(singleLetters)
  const withKeys = commands.filter(command => command.keys.length > 0)
  const groups = [...new Set(withKeys.map(command => command.group))]
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keys">
      <div className={styles.sheet}>
        {!letters && <p className="muted">Single-letter keys are switched off in the settings.</p>}
        {groups.map(group => (
          <section key={group} className={styles.group}>
            <h3>{group}</h3>
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
                .filter(command => command.group === group)
                .map(command => (
                  <Fragment key={command.id}>
                    <dt>{command.title}</dt>
                    <dd className="row">
                      {command.keys.map(chord => (
                        <Kbd key={chord} keys={printKeys(chord, isMac)} />
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
