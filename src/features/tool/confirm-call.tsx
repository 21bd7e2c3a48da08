import { useState } from 'react'
import { parseJson } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { confirmReason, confirmText, getAskMode } from '../../../core/tool/confirm-reason.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { mask } from '../../../core/tool/mask.ts'
import type { Tool } from '../../../core/tool/tool.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './tool-pane.module.css'

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

/** The tools that the user does not want to be asked about again, until this window is reloaded. */
const confirmedTools = new Set<string>()

/** Identifies a tool as the user saw it: it asks again if its server or the setting of its source changes. */
const toConfirmKey = (tool: Tool) => {
  const { ref, description, inputSchema, outputSchema, annotations } = tool
  return JSON.stringify([ref, description, inputSchema, outputSchema, annotations, getAskMode(tool)])
}

/** Returns whether to ask before a call. Only a hint of the server can be confirmed for later calls. */
export function mustConfirm(tool: Tool): boolean {
  const reason = confirmReason(tool)
  return reason !== undefined && !(reason === 'hint' && confirmedTools.has(toConfirmKey(tool)))
}

/** Asks for confirmation of a call, with the reason and the input. Enter calls, Escape cancels. */
export function ConfirmCall({ tool, inputText, variables, onConfirm, onClose }: ConfirmCallProps) {
  const reading = readJson(inputText)
  const visibleInput = reading.ok && reading.value !== undefined ? writeJson(reading.value) : inputText
  const isHint = confirmReason(tool) === 'hint'
  const isOnce = getAskMode(tool) === 'once'
  const [isLast, setLast] = useState(isOnce)
  return (
    <Dialog open onOpenChange={onClose} title={`Call ${tool.name}?`}>
      <form
        className="stack"
        // A key that is held since it opened the dialog must not answer it.
        onKeyDown={event => event.repeat && event.key === 'Enter' && event.preventDefault()}
        onSubmit={event => {
          event.preventDefault()
          if (isHint && isLast) confirmedTools.add(toConfirmKey(tool))
          onConfirm(inputText)
        }}
      >
        <p>{confirmText(tool, parseJson(inputText))} The input to be sent:</p>
        <TextBox maxHeight="40vh">{visibleInput.slice(0, maxInputLength)}</TextBox>
        {visibleInput.length > maxInputLength && (
          <p className="muted">Preview, shortened. The JSON tab shows everything.</p>
        )}
        {variables && Object.keys(variables).length > 0 && <SentVariables variables={variables} />}
        {isHint &&
          (isOnce ? (
            <p className="note">It is asked once for this tool in this window.</p>
          ) : (
            <label className="row">
              <input type="checkbox" checked={isLast} onChange={event => setLast(event.target.checked)} />
              Don’t ask again for this tool in this window
            </label>
          ))}
        <DialogActions>
          <Button onClick={onClose}>
            {commonTexts.cancel} <Kbd keys="Esc" />
          </Button>
          <Button type="submit" look="danger" autoFocus>
            Call anyway <Kbd keys="Enter" />
          </Button>
        </DialogActions>
      </form>
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
            <dd>{renderValue(name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function renderValue(name: string, value: string) {
  if (value === '') return <span className="muted">empty</span>
  if (isSecretName(name)) return <span title="Hidden: its name says that it is secret">{mask}</span>
  return value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value
}
