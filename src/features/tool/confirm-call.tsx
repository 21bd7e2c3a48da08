import { parseJson } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { confirmText } from '../../../core/tool/confirm-reason.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { mask } from '../../../core/tool/mask.ts'
import type { Tool } from '../../../core/tool/tool.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import { TextBox } from '../../ui/scroll.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './confirm-call.module.css'

interface ConfirmCallProps {
  readonly tool: Tool
  /** The exact text to send; it is shown indented. */
  readonly inputText: string
  /** The agent's variables that go with the call. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly onConfirm: (inputText: string) => void
  readonly onClose: () => void
}

/** Characters of the input that are shown. */
const maxInputLength = 20_000
/** Characters of one variable that are shown. */
const maxValueLength = 1_000

/** Asks for confirmation of a call, with the reason and the input. */
export function ConfirmCall({ tool, inputText, variables, onConfirm, onClose }: ConfirmCallProps) {
  const reading = readJson(inputText)
  const shown = reading.ok && reading.value !== undefined ? writeJson(reading.value) : inputText
  return (
    <Dialog open onOpenChange={onClose} title={`Call ${tool.name}?`}>
      <p>{confirmText(tool, parseJson(inputText))} The input to be sent:</p>
      <TextBox maxHeight="40vh">{shown.slice(0, maxInputLength)}</TextBox>
      {shown.length > maxInputLength && (
        <p className="muted">Preview, shortened. The JSON tab shows everything.</p>
      )}
      {variables && Object.keys(variables).length > 0 && <SentVariables variables={variables} />}
      <DialogActions>
        <Button onClick={onClose}>{commonTexts.cancel}</Button>
        <Button look="danger" onClick={() => onConfirm(inputText)}>
          Call anyway
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The agent's variables that are sent with the input. */
function SentVariables({ variables }: { readonly variables: Readonly<Record<string, string>> }) {
  return (
    <section aria-label="Variables" className="stack">
      <p>With the agent’s variables:</p>
      <dl className={join('box mono small', styles.values)} tabIndex={0}>
        {Object.entries(variables).map(([name, value]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd>{shownValue(name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function shownValue(name: string, value: string) {
  if (value === '') return <span className="muted">empty</span>
  if (isSecretName(name)) return <span title="Hidden: its name says that it is secret">{mask}</span>
  return value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value
}
