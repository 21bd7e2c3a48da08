import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import styles from './confirm-run.module.css'
import { texts } from './texts.ts'

interface ConfirmRunProps {
  /** The tools that ask first. */
  readonly tools: readonly ConsoleCommand[]
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const reasons = {
  rule: texts.asksByEnvironment,
  guard: texts.asksOnTerminal,
  hint: texts.isDestructive,
} as const

/** Asks once, before the script starts, about every tool that it names. */
export function ConfirmRun({ tools, onConfirm, onClose }: ConfirmRunProps) {
  return (
    <Dialog open onOpenChange={onClose} title={texts.runThisScript}>
      <p>{texts.callsNeedConfirmation}</p>
      <ul className={join('stack', styles.list)}>
        {tools.map(({ command, ref, summary, confirm }) => (
          <li key={ref}>
            <code>{command}</code> · {confirm && reasons[confirm]}
            {summary && <p className="muted">{summary}</p>}
          </li>
        ))}
      </ul>
      <p className="muted">{texts.confirmationNote}</p>
      <DialogActions>
        <Button onClick={onClose}>{texts.doNotRun}</Button>
        <Button look="danger" onClick={onConfirm}>
          {texts.runTheScript}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
