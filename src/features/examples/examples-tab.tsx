import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { ExampleOutcome } from '../../../core/checks/check-example.ts'
import type { Example } from '../../../core/checks/example.ts'
import { keepAnswers } from '../../../core/checks/prepared-answers.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { dangerReason } from '../../../core/tool/confirm-reason.ts'
import { mask } from '../../../core/tool/mask.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import type { DraftAccess } from '../tool/tool-pane.tsx'
import { type EndedCall, ExampleRow, findFreeExampleName, listExpectations } from './example-row.tsx'
import styles from './examples.module.css'
import { texts } from './texts.ts'
import { useExamples } from './use-examples.ts'

interface ExamplesTabProps {
  readonly tool: ToolDetail
  readonly draft: DraftAccess
  /** The tool's last call. */
  readonly lastCall: EndedCall | undefined
  /** Content of other features below the list. */
  readonly children?: ReactNode
}

/** The saved inputs of a tool: load, run, expect, save. */
export function ExamplesTab({ tool, draft, lastCall, children }: ExamplesTabProps) {
  const control = useExamples(tool.ref)
  const { list, error, examples, deleted, save, run, running } = control
  const refusedRun = useRefusal('POST /api/examples/run')
  // A tool that needs a confirmation is called only from the form, which shows the input.
  const canRun = tool.callable && dangerReason(tool) === undefined
  const { saveDraft, isUnreadable, replaced, takeBack } = useSaveDraft(draft, control)
  const names = examples.map(example => example.name)
  const leftOut = save.data?.leftOut ?? []
  return (
    <div className={join('stack', styles.tab)}>
      <SaveForm
        suggestion={findFreeExampleName(names)}
        taken={names}
        pending={save.isPending}
        isNaming={draft.isNaming}
        onNaming={draft.onNaming}
        onSave={saveDraft}
      />
      {draft.questions.length > 0 && (
        <p className="note">
          The server asked {plural(draft.questions.length, 'question')} in the last call. The answers are
          saved with the input.
        </p>
      )}
      {isUnreadable && (
        <p className="notice" role="alert">
          The input is not valid JSON, so it cannot be saved.
        </p>
      )}
      {leftOut.length > 0 && (
        <p className="notice" role="status">
          {`Not saved because it looks like a secret: ${leftOut.join(', ')}. Write \${env:NAME} there to take the value from an environment variable at the call.`}
        </p>
      )}
      <ErrorNote error={error} />
      {deleted && <TakeBack text={`Deleted “${deleted.name}”.`} onUndo={() => save.mutate(deleted)} />}
      {replaced && <TakeBack text={`Replaced “${replaced.name}”.`} onUndo={takeBack} />}
      {list && examples.length === 0 && !deleted && (
        <p className="muted">No examples yet. Save the current input as the first.</p>
      )}
      {canRun && examples.length > 1 && (
        <div className="row wrap">
          <Button onClick={() => run(names)} aria-disabled={running !== undefined} refused={refusedRun}>
            <Play size={14} aria-hidden /> {running === undefined ? 'Run all' : `Running ${running}…`}
          </Button>
          <span className="muted" role="status" data-testid="examples-outcome">
            {running === undefined && outcomesText(names.map(control.outcomeOf))}
          </span>
        </div>
      )}
      <ul aria-label="Examples">
        {examples.map(example => (
          <ExampleRow
            key={example.name}
            example={example}
            choices={listExpectations(tool, example, lastCall)}
            control={control}
            canRun={canRun}
            onLoad={() => draft.load({ text: writeJson(example.input), secretMarker: example.secretMarker })}
          />
        ))}
      </ul>
      {list && list.problems.length > 0 && (
        <section className="stack" aria-label={texts.filesThatAreNotExamples}>
          <h2>{texts.filesThatAreNotExamples}</h2>
          <ul>
            {list.problems.map(({ file, message }) => (
              <li key={file}>
                <code>{file}</code> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {list && (
        <p className="note">
          Stored in {list.place}
          {examples.length > 0 && (
            <>
              {' · '}
              <Link to="/compare" search={{ a: tool.source }}>
                Compare two sources’ results
              </Link>
            </>
          )}
        </p>
      )}
      {children}
    </div>
  )
}

/** Saves the draft under a name. The user can restore the example that it replaces. */
function useSaveDraft(draft: DraftAccess, { examples, save }: ReturnType<typeof useExamples>) {
  const [isUnreadable, setUnreadable] = useState(false)
  /** The example that the last save replaced. */
  const [replaced, setReplaced] = useState<Example>()
  const saveDraft = (name: string, note: string) => {
    const reading = readJson(draft.text)
    setUnreadable(!reading.ok)
    if (!reading.ok) return
    const input = reading.value ?? {}
    const known = examples.find(example => example.name === name)
    const { secretMarker: _, expect, ...rest } = known ?? {}
    // An exact result belongs to one input, so another input drops it.
    const isExpectValid = expect !== undefined && (!('exact' in expect) || jsonEquals(known?.input, input))
    const prepared = keepAnswers(draft.questions, draft.secretMarker ?? mask)
    const secretMarker = draft.secretMarker ?? (prepared?.masked ? mask : undefined)
    setReplaced(known)
    save.mutate({
      ...rest,
      name,
      input,
      ...(isExpectValid ? { expect } : {}),
      ...(prepared === undefined ? {} : { answers: prepared.answers }),
      ...(secretMarker === undefined ? {} : { secretMarker }),
      ...(note === '' ? {} : { note }),
    })
  }
  return {
    saveDraft,
    isUnreadable,
    replaced: save.isSuccess ? replaced : undefined,
    takeBack() {
      setReplaced(undefined)
      if (replaced) save.mutate(replaced)
    },
  }
}

function TakeBack({ text, onUndo }: { readonly text: string; readonly onUndo: () => void }) {
  return (
    <p className={join('box row', styles.undo)} role="status">
      {text}{' '}
      <Button look="quiet" onClick={onUndo}>
        {commonTexts.undo}
      </Button>
    </p>
  )
}

/** Returns `4 passed, 1 failed`; empty if none has run. */
function outcomesText(outcomes: readonly (ExampleOutcome | undefined)[]): string {
  const count = (status: ExampleOutcome['status']) => outcomes.filter(each => each?.status === status).length
  const counts = [
    [count('passed'), 'passed'],
    [count('failed'), 'failed'],
  ] as const
  return counts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ')
}

interface SaveFormProps {
  /** A suggested name. */
  readonly suggestion: string
  readonly taken: readonly string[]
  readonly pending: boolean
  /** Whether the name should get the focus; then `onNaming` is called. */
  readonly isNaming: boolean
  readonly onNaming: () => void
  readonly onSave: (name: string, note: string) => void
}

/** Asks for a name and a note for the current input. */
function SaveForm({ suggestion, taken, pending, isNaming, onNaming, onSave }: SaveFormProps) {
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const focusName = useEffectEvent(() => {
    form.current?.querySelector('input')?.focus()
    onNaming()
  })
  useEffect(() => {
    if (isNaming) focusName()
  }, [isNaming])
  const chosen = name.trim() || suggestion
  return (
    <form
      ref={form}
      className={styles.save}
      aria-label="Save the current input"
      onSubmit={event => {
        event.preventDefault()
        onSave(chosen, note.trim())
        setName('')
        setNote('')
      }}
    >
      <Field label="Name" value={name} onChange={setName} placeholder={suggestion} maxLength={200} />
      <Field label="Note" value={note} onChange={setNote} placeholder="optional" maxLength={10_000} />
      <Button
        look="primary"
        type="submit"
        disabled={pending}
        refused={useRefusal('PUT /api/examples')}
        className={styles.saveButton}
      >
        {taken.includes(chosen) ? 'Replace' : 'Save current input'}
      </Button>
    </form>
  )
}

interface ExampleFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly placeholder: string
  readonly maxLength: number
}

function Field({ label, onChange, ...rest }: ExampleFieldProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="note">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className="text-field"
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
      />
    </>
  )
}
