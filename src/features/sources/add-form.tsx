import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { LineKind, Recognised, SourceState } from '../../../core/api/sources.ts'
import { toAppError } from '../../../core/errors.ts'
import { freeName } from '../../../core/text/free-name.ts'
import { type Backend, useBackend } from '../../api/backend.ts'
import { useSourceChange, useSources } from '../../api/use-sources.ts'
import { useDebouncedText } from '../../ui/filter-field.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import type { TextFile } from '../../ui/text-file.ts'
import styles from './add-source.module.css'
import { type EntryDraft, hasValidLimits, nameProblem, toEntryDraft, toLineSettings } from './entry-draft.ts'
import { AddressSettings, NameField, ProgramSettings } from './entry-fields.tsx'
import { FormFoot } from './form-foot.tsx'
import { type RecognisedEntry, RecognisedList } from './recognised-list.tsx'
import { SourceLine } from './source-line.tsx'
import { texts } from './texts.ts'

interface AddFormProps {
  /** Files that were dropped. */
  readonly files?: readonly TextFile[]
  /** @param saves whether to add it to toolscope.json too */
  readonly onDone: (source: SourceState, saves: boolean) => void
  /** Absent: the form is part of a page, without the choice to save to toolscope.json. */
  readonly onCancel?: () => void
}

/** Whether the user chose an entry of JSON, by `entryKey`; it outlives an edit of the text. */
type Choice = Readonly<Record<string, boolean>>

/**
 * Adds what one field names: a command, an address, a path or JSON. It says what it recognises, and starts nothing
 * before "Add". A source that cannot be opened is not kept.
 */
export function AddForm({ files = [], onDone, onCancel }: AddFormProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const { data: sources = [] } = useSources()
  const [given, setGiven] = useState(files)
  const [draft, setDraft] = useState<EntryDraft>(toEntryDraft)
  const [choice, setChoice] = useState<Choice>({})
  const [saves, setSaves] = useState(false)
  const [text, setText] = useDebouncedText(singleText(given), typed => setGiven(toFiles(typed)), 250)
  const recognising = useQuery({ ...recogniseQuery(backend, given), placeholderData: keepPreviousData })
  const found = given.length > 0 && !recognising.isError ? recognising.data : undefined
  const taken = new Set(sources.map(({ name }) => name))
  const chosen = found === undefined ? [] : chosenEntries(found, choice)
  const [only] = chosen
  const isOne = found?.line !== 'servers' && chosen.length === 1
  const wrongName = isOne ? nameProblem(draft.name, taken) : undefined
  const send = async (): Promise<SourceState> => {
    // The text may be newer than what was recognised while it was typed.
    const current = text === singleText(given) ? given : toFiles(text)
    const now = await client.fetchQuery(recogniseQuery(backend, current))
    const name = draft.name.trim()
    const add = (body: { entry: SourceEntry; name?: string }) =>
      backend.request('POST /api/sources', { body })
    if (now.line !== undefined) {
      const entry = toLineEntry(text, now.line, draft)
      return add(name === '' || now.line === 'servers' ? { entry } : { entry, name })
    }
    const entries = chosenEntries(now, choice)
    let first: SourceState | undefined
    for (const each of entries) {
      const own = entries.length === 1 && name !== '' ? name : freeName(each.name, taken)
      const added = await add({ entry: each.entry, name: own })
      taken.add(added.name)
      // If a later one fails, "Try again" must not add this one again.
      setChoice(before => ({ ...before, [entryKey(each)]: false }))
      first ??= added
    }
    if (first === undefined) throw new Error('Choose a source to add.')
    return first
  }
  const sending = useSourceChange(send, source => onDone(source, saves))
  const error = given.length > 0 && !sending.isError ? recognising.error : null
  // A line is wrong while it is typed; JSON is pasted whole.
  const isJsonError = error !== null && toAppError(error).code.startsWith('manifest-')
  const change = (part: Partial<EntryDraft>) => {
    setDraft(before => ({ ...before, ...part }))
    sending.reset()
  }
  const type = (typed: string) => {
    setText(typed)
    sending.reset()
  }
  const hasText = text.trim() !== '' || given.length > 0
  const isComplete =
    hasText && wrongName === undefined && hasValidLimits(draft) && (found === undefined || chosen.length > 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete && !sending.isPending) sending.mutate()
  }
  const fields = {
    draft,
    onChange: change,
    nameProblem: wrongName,
    proposed: only && freeName(only.name, taken),
  }
  const settings: Record<LineKind, ReactNode> = {
    program: <ProgramSettings {...fields} />,
    address: <AddressSettings {...fields} />,
    file: <NameField {...fields} />,
    servers: null,
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <SourceLine
        text={text}
        onChange={type}
        onFiles={setGiven}
        about={
          error && !isJsonError ? describeError(error) : found && <About found={found} typed={text.trim()} />
        }
      />
      {isJsonError && <ErrorNote error={recognising.error} title="Not recognised. Nothing was added." />}
      {found?.line !== undefined && settings[found.line]}
      {found !== undefined && found.line === undefined && (
        <>
          <RecognisedList
            found={found}
            chosen={chosen}
            onChoose={entries => {
              const keys = new Set(entries.map(entryKey))
              const all = usableEntries(found)
                .map(entryKey)
                .map(key => [key, keys.has(key)])
              setChoice(before => ({ ...before, ...Object.fromEntries(all) }))
              sending.reset()
            }}
          />
          {isOne && <NameField {...fields} />}
        </>
      )}
      <FormFoot
        words={['Add', 'Adding…']}
        refusal="Not added."
        sending={sending}
        isComplete={isComplete}
        entry={isOne ? (found?.line ? toLineEntry(text, found.line, draft) : only?.entry) : undefined}
        onCancel={onCancel}
      >
        {onCancel && (
          <label className="row muted">
            <input type="checkbox" checked={saves} onChange={event => setSaves(event.target.checked)} />
            {texts.saveToConfig}
          </label>
        )}
      </FormFoot>
    </form>
  )
}

interface AboutProps {
  readonly found: Recognised
  readonly typed: string
}

/** The kind of what was typed, in one line; with how it is understood if that differs from the typed text. */
function About({ found: { about, line, sources }, typed }: AboutProps) {
  if (line === undefined) return <b>{about}</b>
  const sourceAbout = sources[0]?.about
  return (
    <>
      <b>{about}</b> {sourceAbout !== typed && <code>{sourceAbout}</code>}
    </>
  )
}

function describeError(error: unknown): string {
  const { title, detail } = toAppError(error).toShape()
  return `${title}: ${detail}`
}

const singleText = (files: readonly TextFile[]) => (files.length === 1 ? (files[0]?.text ?? '') : '')

const toFiles = (text: string): readonly TextFile[] => (text.trim() === '' ? [] : [{ name: '', text }])

const entryKey = ({ name, entry }: RecognisedEntry) => JSON.stringify([name, entry])

const usableEntries = ({ sources }: Recognised): readonly RecognisedEntry[] =>
  sources.flatMap(({ name, entry }) => (entry === undefined ? [] : [{ name, entry }]))

/** Returns the chosen entries; of alternatives, the first one unless the user chose another. */
function chosenEntries(found: Recognised, choice: Choice): readonly RecognisedEntry[] {
  const usable = usableEntries(found)
  return usable.filter((each, at) => choice[entryKey(each)] ?? (found.choose === 'several' || at === 0))
}

const toLineEntry = (text: string, kind: LineKind, draft: EntryDraft): SourceEntry => ({
  line: text.trim(),
  ...toLineSettings(draft, kind),
})

/** Recognises the files together, or the text that was typed. */
function recogniseQuery(backend: Backend, given: readonly TextFile[]) {
  return {
    queryKey: ['recognise', given],
    queryFn: async (): Promise<Recognised> => {
      const all = await Promise.all(
        given.map(body => backend.request('POST /api/sources/recognise', { body })),
      )
      const [first] = all
      if (first !== undefined && all.length === 1) return first
      const about = all.map(each => each.about).join('; ')
      return { about, choose: 'several', sources: all.flatMap(({ sources }) => sources) }
    },
    enabled: given.length > 0,
    // A file or a program may appear at any time.
    staleTime: 0,
    gcTime: 0,
  }
}
