import { useMutation } from '@tanstack/react-query'
import type { SourceState } from '../../../core/api/sources.ts'
import type { WireDetail } from '../../../core/api/wire.ts'
import { isObject, type Json, own } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { mask } from '../../../core/tool/mask.ts'
import { useBackend } from '../../api/backend.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './wire.module.css'

/** A call of a tool that was found in a message. */
export interface WireCall {
  readonly source: string
  readonly tool: string
  /** JSON with exact numbers. */
  readonly inputText: string
}

export interface SendAgainProps {
  readonly source: SourceState
  readonly detail: WireDetail
  /** The message as it was edited. */
  readonly text: string
  readonly onTextChange: (text: string) => void
  /**
   * Calls a tool as its form does: with validation, confirmation and history. Resolves to false if the catalog does not
   * have the tool.
   */
  readonly onCall: (call: WireCall) => Promise<boolean>
  /** The message was sent, or the call was begun. `after`: the last message before it, if known. */
  readonly onSent: (after?: number) => void
  readonly onClose: () => void
}

/** An editor for the text of a sent message, and the button that sends it. */
export function SendAgain(props: SendAgainProps) {
  const { source, detail, text, onTextChange, onCall, onSent, onClose } = props
  const backend = useBackend()
  const sending = useMutation({
    mutationFn: async () => {
      const call = findCall(source.name, detail, text)
      if (call !== undefined && (await onCall(call))) return undefined
      const { after } = await backend.request('POST /api/sources/{name}/wire/send', {
        params: { name: source.name },
        body: { text },
      })
      return after
    },
    onSuccess: after => onSent(after),
  })
  const reading = readJson(text)
  const send = () => reading.ok && !sending.isPending && sending.mutate()
  return (
    <section className={join('column grow', styles.editor)} aria-label="Edit and send again">
      <div className="grow">
        <JsonEditor text={text} onTextChange={onTextChange} onSubmit={send} label="Message to send" />
      </div>
      <div className={join('stack', styles.editorFoot)}>
        {!reading.ok && <p role="alert">Not JSON: {reading.message}</p>}
        {text.includes(mask) && (
          <p className="note">
            Secrets are replaced by {mask}. Enter them again where the source needs them.
          </p>
        )}
        <p className="note">
          A request gets a new id. The call of a tool goes the way of its form: it is validated, may ask you
          first, and is in the history.
        </p>
        <ErrorNote error={sending.error} />
        <div className="row">
          <Button look="primary" disabled={!reading.ok || sending.isPending} onClick={send}>
            Send
          </Button>
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
        </div>
      </div>
    </section>
  )
}

/** Returns the text of a message as its editor begins with it. */
export function toDraft(text: string): string {
  const reading = readJson(text)
  return reading.ok && reading.value !== undefined ? writeJson(reading.value) : text
}

/** Returns the call in an edited message: `tools/call` of MCP, or the input of a run or of a bridge's tool. */
function findCall(source: string, { row, message }: WireDetail, text: string): WireCall | undefined {
  const reading = readJson(text)
  if (!reading.ok) return undefined
  const { value } = reading
  if (row.kind === undefined)
    return row.tool === undefined ? undefined : { source, tool: row.tool, inputText: text }
  if (message.direction !== 'sent' || !isObject(value) || own(value, 'method') !== 'tools/call')
    return undefined
  const params = own(value, 'params')
  const tool = isObject(params) ? own(params, 'name') : undefined
  if (typeof tool !== 'string' || !isObject(params)) return undefined
  // `readJson` returns only JSON.
  return { source, tool, inputText: writeJson((own(params, 'arguments') ?? {}) as Json, 0) }
}
