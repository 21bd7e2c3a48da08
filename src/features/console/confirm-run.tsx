import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import styles from './confirm-run.module.css'
import { texts } from './texts.ts'

interface ConfirmRunProps {
  /** The tools that need a confirmation. */
  readonly tools: readonly ConsoleCommand[]
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const reasons = {
  rule: 'LLM_MCP_NEED_CONFIRM names it',
  guard: 'its program asks on a terminal',
  hint: 'the server marks it destructive (unverified)',
} as const

/** Asks once, before the script starts, about every tool in it that needs a confirmation. */
export function ConfirmRun({ tools, onConfirm, onClose }: ConfirmRunProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Run this script?">
      <p>It calls tools that need confirmation:</p>
      <ul className={join('stack', styles.list)}>
        {tools.map(({ command, ref, summary, confirm }) => (
          <li key={ref}>
            <code>{command}</code> · {confirm && reasons[confirm]}
            {summary && <p className="muted">{summary}</p>}
          </li>
        ))}
      </ul>
      <p className="muted">
        After you confirm, the script may call them any number of times. A tool outside this list that needs
        confirmation is refused.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Do not run</Button>
        <Button look="danger" onClick={onConfirm}>
          {texts.runTheScript}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
