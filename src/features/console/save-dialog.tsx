import { useState } from 'react'
import { scriptNameProblem } from '../../../core/script/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './confirm-run.module.css'

interface SaveDialogProps {
  readonly onClose: () => void
  /** The folder of the file; null if the browser stores it. */
  readonly folder: string | null
  readonly taken: readonly string[]
  readonly name: string
  readonly onSave: (name: string) => void
}

/** Asks for the name of a script. */
export function SaveDialog({ onClose, folder, taken, name: first, onSave }: SaveDialogProps) {
  const [name, setName] = useState(first)
  const problem = name === '' ? undefined : scriptNameProblem(name)
  return (
    <Dialog open onOpenChange={onClose} title="Save the script">
      <form
        onSubmit={event => {
          event.preventDefault()
          if (name !== '' && problem === undefined) onSave(name)
        }}
      >
        <label className={styles.field}>
          Name
          <input
            className="text-field"
            value={name}
            onChange={({ target }) => setName(target.value)}
            placeholder="nightly-check"
            aria-invalid={problem !== undefined}
            aria-describedby="script-name-note"
          />
        </label>
        <p id="script-name-note" className="muted">
          {problem ??
            (folder === null
              ? 'Saved in this browser, because there is no toolscope.json.'
              : `Saved as the file ${folder}/${name || '<name>'}.sh next to toolscope.json.`)}
          {problem === undefined && taken.includes(name) && ' It replaces the script with this name.'}
        </p>
        <DialogActions>
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button type="submit" look="primary" disabled={name === '' || problem !== undefined}>
            {commonTexts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
