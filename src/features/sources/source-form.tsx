import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { toAppError } from '../../../core/errors.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { freeName } from '../../../core/text/free-name.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange, useSources } from '../../api/use-sources.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { plural } from '../../ui/format.ts'
import { Tabs } from '../../ui/tabs.tsx'
import type { TextFile } from '../../ui/text-file.ts'
import { commonTexts } from '../../ui/texts.ts'
import { findLimitProblem } from '../../ui/time-limit-field.tsx'
import styles from './add-source.module.css'
import { type EntryDraft, type EntryTab, nameProblem, toEntryDraft, toSourceEntry } from './entry-draft.ts'
import { AddressFields, CommandFields, NameField } from './entry-fields.tsx'
import { FoundSources } from './found-sources.tsx'
import { FromClient, useClientServerCount } from './from-client.tsx'
import { kindText } from './source-status.ts'
import { texts } from './texts.ts'

const tabs = [
  { id: 'command', label: texts.command },
  { id: 'url', label: 'URL' },
  { id: 'text', label: 'File or paste' },
  { id: 'client', label: texts.fromAnotherClient },
] as const satisfies readonly { id: EntryTab; label: string }[]

interface NamedEntry {
  readonly name: string
  readonly entry: SourceEntry
}

interface SourceFormProps {
  /** The edited source; absent: a new one is added. */
  readonly edited?: NamedEntry
  /** Files that were dropped. */
  readonly files?: readonly TextFile[]
  /** The tab that is shown first. */
  readonly tab?: EntryTab | undefined
  /** @param saves whether to add it to toolscope.json too */
  readonly onDone: (source: SourceState, saves: boolean) => void
  /** Absent: the form is part of a page, without the choice to save to toolscope.json. */
  readonly onCancel?: () => void
}

/** Adds a source, or changes how one is opened. A source that cannot be opened is not kept. */
export function SourceForm({ edited, files = [], tab, onDone, onCancel }: SourceFormProps) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const [draft, setDraft] = useState<EntryDraft>(() => ({
    ...toEntryDraft(edited?.entry, edited?.name),
    ...(tab && { tab }),
    ...(files.length > 0 && { tab: 'text' as const }),
  }))
  const [given, setGiven] = useState(files)
  const [chosen, setChosen] = useState<readonly NamedEntry[]>([])
  const [saves, setSaves] = useState(false)
  const taken = new Set(sources.map(({ name }) => name).filter(name => name !== edited?.name))
  const count = useClientServerCount()
  const counted = tabs.map(tab => (tab.id === 'client' ? { ...tab, count: count || undefined } : tab))
  const isFound = edited === undefined && draft.tab === 'text'
  const entry = isFound ? undefined : toSourceEntry(draft)
  const wrongName = nameProblem(draft.name, taken)
  const request = async (): Promise<SourceState> => {
    const name = draft.name.trim()
    if (edited !== undefined)
      return backend.request('PUT /api/sources/{name}', {
        params: { name: edited.name },
        body: withoutUndefined({ entry, name: name || undefined }),
      })
    const add = (body: { entry: SourceEntry; name?: string }) =>
      backend.request('POST /api/sources', { body })
    if (entry !== undefined) return add(name === '' ? { entry } : { entry, name })
    let first: SourceState | undefined
    for (const each of chosen) {
      const only = chosen.length === 1 && name !== '' ? name : freeName(each.name, taken)
      const added = await add({ entry: each.entry, name: only })
      taken.add(added.name)
      setChosen(before => before.filter(other => other !== each))
      first ??= added
    }
    if (first === undefined) throw new Error('nothing is chosen')
    return first
  }
  const sending = useSourceChange(request, source => onDone(source, saves))
  const refused = useRefusal('POST /api/sources')
  const change = (part: Partial<EntryDraft>) => {
    setDraft(before => ({ ...before, ...part }))
    sending.reset()
  }
  const hasLimits = [draft.callLimit, draft.listLimit].every(text => findLimitProblem(text) === undefined)
  const isComplete =
    wrongName === undefined && hasLimits && (isFound ? chosen.length > 0 : entry !== undefined)
  const not = edited === undefined ? 'Not added.' : 'Not saved. The source is open as before.'
  const bodies: Record<EntryTab, () => ReactNode> = {
    command: () => <CommandFields draft={draft} onChange={change} nameProblem={wrongName} />,
    url: () => <AddressFields draft={draft} onChange={change} nameProblem={wrongName} />,
    text: () => (
      <>
        {isFound && (
          <FoundSources
            files={given}
            chosen={chosen}
            onChoose={next => {
              setChosen(next)
              change({ name: next.length === 1 && next[0] ? freeName(next[0].name, taken) : '' })
            }}
          />
        )}
        {(!isFound || chosen.length === 1) && (
          <NameField draft={draft} onChange={change} problem={wrongName} />
        )}
      </>
    ),
    client: () => <FromClient onOpened={source => onDone(source, false)} />,
  }
  const words = edited === undefined ? ['Add', 'Adding…'] : [commonTexts.save, 'Saving…']
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        if (isComplete && !sending.isPending) sending.mutate()
      }}
      onPaste={event => {
        // Users also paste a server's JSON entry into the command field.
        const text = event.clipboardData.getData('text')
        if (edited !== undefined || draft.tab === 'text' || !/^\s*\{[\s\S]*\}\s*$/.test(text)) return
        event.preventDefault()
        setGiven([{ name: '', text }])
        change({ tab: 'text' })
      }}
    >
      {edited === undefined ? (
        <Tabs label="Kinds of source" tabs={counted} value={draft.tab} onChange={tab => change({ tab })}>
          <div className={styles.body}>{bodies[draft.tab]()}</div>
        </Tabs>
      ) : (
        <div className={styles.body}>{bodies[draft.tab]()}</div>
      )}
      <div className={styles.foot} hidden={draft.tab === 'client'}>
        {sending.isError ? (
          <ErrorNote error={sending.error} title={`${not} ${toAppError(sending.error).toShape().title}`} />
        ) : (
          entry !== undefined && (
            <ProbePanel key={JSON.stringify(entry)} entry={entry} edited={edited?.name} />
          )
        )}
        <div className="row wrap">
          {edited === undefined && onCancel && (
            <label className="row muted">
              <input type="checkbox" checked={saves} onChange={event => setSaves(event.target.checked)} />
              {texts.saveToConfig}
            </label>
          )}
          <span className="grow" />
          {onCancel && <Button onClick={onCancel}>{commonTexts.cancel}</Button>}
          <Button look="primary" type="submit" disabled={!isComplete || sending.isPending} refused={refused}>
            {sending.isPending ? words[1] : sending.isError ? commonTexts.tryAgain : words[0]}
          </Button>
        </div>
      </div>
    </form>
  )
}

interface ProbePanelProps {
  readonly entry: SourceEntry
  /** The name of the edited source, for which the server knows the masked secrets. */
  readonly edited: string | undefined
}

/** Tries the entry when the user asks for it: opens the source, lists it, and closes it again. */
function ProbePanel({ entry, edited }: ProbePanelProps) {
  const backend = useBackend()
  const probing = useMutation({
    mutationFn: () =>
      backend.request('POST /api/sources/probe', { body: withoutUndefined({ entry, name: edited }) }),
  })
  const refused = useRefusal('POST /api/sources/probe')
  const { data: found, error } = probing
  const button = (
    <Button onClick={() => probing.mutate()} disabled={probing.isPending} refused={refused}>
      {probing.isPending ? 'Asking…' : error ? commonTexts.tryAgain : 'Try it'}
    </Button>
  )
  if (error)
    return (
      <div className="stack">
        <ErrorNote error={error} />
        <div>{button}</div>
      </div>
    )
  return (
    <div className={styles.probe} role="status">
      {found === undefined ? (
        <span className="muted">
          {probing.isPending ? 'Starting it and reading its tools…' : 'Not started yet.'}
        </span>
      ) : (
        <span>
          <Dot tone={found.error === undefined ? 'ok' : 'warn'} /> <b>{kindText(found)}</b>
          {found.error === undefined ? ` · ${listedText(found)}` : ` · ${found.error.title}`}
          {found.serverInfo && (
            <span className="muted"> · {`${found.serverInfo.name} ${found.serverInfo.version}`}</span>
          )}
        </span>
      )}
      {button}
    </div>
  )
}

/** Returns the number of entries of each kind. Prompts, resources and templates are omitted if there are none. */
function listedText({ toolCount, surface }: SourceState): string {
  const { prompts = 0, resources = 0, templates = 0 } = surface ?? {}
  const others = [
    prompts > 0 && plural(prompts, 'prompt'),
    resources > 0 && plural(resources, 'resource'),
    templates > 0 && plural(templates, 'resource template'),
  ]
  return [plural(toolCount, 'tool'), ...others].filter(Boolean).join(', ')
}
