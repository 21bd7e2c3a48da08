import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import styles from './confirm-run.module.css'

interface ConfirmRunProps {
  /** The tools that ask first. */
  readonly tools: readonly ConsoleCommand[]
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const reasons = {
  rule: 'LLM_MCP_NEED_CONFIRM asks before it',
  guard: 'its program asks on a terminal',
  hint: 'its source calls it destructive',
} as const

/** Asks once, before the script starts, about every tool that it names. */
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
        Once confirmed, the script may call them as often as it likes. A tool that is not in this list and
        asks first is refused while the script runs.
      </p>
      <DialogActions>
        <Button onClick={onClose}>Do not run</Button>
        <Button look="danger" onClick={onConfirm}>
          Run the script
        </Button>
      </DialogActions>
    </Dialog>
  )
}
