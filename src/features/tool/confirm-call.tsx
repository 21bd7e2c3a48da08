import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './confirm-call.module.css'

interface ConfirmCallProps {
  readonly name: string
  /** The exact text that will be sent; undefined while there is nothing to confirm. */
  readonly inputText: string | undefined
  readonly onConfirm: (inputText: string) => void
  readonly onClose: () => void
}

/** Asks before a tool that calls itself destructive is called, and shows the exact input. */
export function ConfirmCall({ name, inputText, onConfirm, onClose }: ConfirmCallProps) {
  return (
    <Dialog open={inputText !== undefined} onOpenChange={open => open || onClose()} title={`Call ${name}?`}>
      <div className={styles.body}>
        <p>Its source marks this tool as destructive. This is what will be sent:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
        <pre className={styles.input} tabIndex={0}>
          {inputText?.slice(0, 20_000)}
        </pre>
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
