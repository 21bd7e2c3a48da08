import { type ConfirmReason, confirmReason } from '../../../core/confirm-reason.ts'
import type { Tool } from '../../../core/tool.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './confirm-call.module.css'

interface ConfirmCallProps {
  readonly tool: Tool
  /** The exact text that will be sent; undefined while there is nothing to confirm. */
  readonly inputText: string | undefined
  readonly onConfirm: (inputText: string) => void
  readonly onClose: () => void
}

const reasons: Record<ConfirmReason, string> = {
  rule: 'LLM_MCP_NEED_CONFIRM asks before this tool.',
  hint: 'Its source calls this tool destructive. That is a hint from the source, which Toolscope cannot check.',
}

/** Characters of the input that are drawn. */
const drawn = 20_000

/** Asks before a call, says why, and shows the exact input. */
export function ConfirmCall({ tool, inputText, onConfirm, onClose }: ConfirmCallProps) {
  const reason = confirmReason(tool)
  return (
    <Dialog
      open={inputText !== undefined}
      onOpenChange={open => open || onClose()}
      title={`Call ${tool.name}?`}
    >
      <div className={styles.body}>
        <p>{reason && reasons[reason]} This is what will be sent:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
        <pre className={styles.input} tabIndex={0}>
          {inputText?.slice(0, drawn)}
        </pre>
        {(inputText?.length ?? 0) > drawn && (
          <p className="muted">Only the beginning is shown; the JSON tab has all of it.</p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>Keep it back</Button>
          <Button look="danger" onClick={() => inputText !== undefined && onConfirm(inputText)}>
            Call it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
