import { useMutation, useQueries, useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, ArrowRight, ChevronDown } from 'lucide-react'
import {
  type DragEvent,
  type ReactNode,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { keepDropped } from '../../api/dropped-manifests.ts'
import { diffQuery, versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { Loading } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { Menu, MenuItem, MenuLabel, MenuRule } from '../../ui/menu.tsx'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { readPickedFile } from '../../ui/text-file.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './diff-page.module.css'
import { DiffResult } from './diff-result.tsx'
import { useDiffSearch } from './diff-search.ts'
import { DiffStart } from './diff-start.tsx'
import type { OpenTool } from './report-sections.ts'
import { listVersionChoices, maxVersions, withOwnFirst } from './version-choices.ts'

const comparing = <Loading>Comparing…</Loading>

const inMiddle = (note: ReactNode) => (
  <div className="padded" style={{ width: '100%', maxWidth: 760, margin: '0 auto' }}>
    {note}
  </div>
)

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Compares two manifests: the changes, the callers that they break, and the proof. */
export function DiffPage({ onOpen }: { readonly onOpen: OpenTool }) {
  const backend = useBackend()
  const [{ a, b, strict }, go] = useDiffSearch()
  const [isOver, setIsOver] = useState(false)
  const focusWanted = useRef(false)
  const chosen = a !== undefined && b !== undefined && backend.has('GET /api/diff')
  const query = useQuery({ ...diffQuery(backend, a ?? '', b ?? '', strict === '1'), enabled: chosen })
  // Deferred, so that typing and clicking continue while thousands of changes render.
  const answer = useDeferredValue(query.data)
  const canDrop = backend.has('POST /api/diff')
  const choose = (next: { readonly a?: string | undefined; readonly b?: string | undefined }) => {
    reading.reset()
    go({ ...next, tool: undefined, schemas: undefined })
  }
  const compare = (nextA: string, nextB: string) => {
    focusWanted.current = true
    if (nextA === a && nextB === b) void query.refetch()
    else choose({ a: nextA || undefined, b: nextB || undefined })
  }
  const swap = () => choose({ a: b, b: a })
  useShortcut('swap-sides', swap, a !== undefined || b !== undefined)

  const reading = useMutation({
    mutationFn: ({ files }: { files: readonly File[]; side?: 'a' | 'b' }) =>
      Promise.all(files.map(readPickedFile)),
    onSuccess: (read, { side = a === undefined ? 'a' : 'b' }) => {
      const [first, second] = read.map(keepDropped)
      focusWanted.current = true
      if (second !== undefined) choose({ a: first, b: second })
      else if (first !== undefined) choose({ [side]: first })
    },
  })
  const compareFiles = (files: readonly File[], side?: 'a' | 'b') =>
    reading.mutate({
      // The older of two files is the side before.
      files: files.slice(0, 2).toSorted((left, right) => left.lastModified - right.lastModified),
      ...(side && { side }),
    })
  const body = (): ReactNode => {
    if (!backend.has('GET /api/diff')) return <EmptyState title="Diff is not available here" />
    if (!chosen) return <DiffStart onCompare={compare} onFiles={canDrop ? compareFiles : undefined} />
    if (query.isFetching && !query.data) return comparing
    if (query.error && !query.data) return inMiddle(<ErrorNote error={query.error} />)
    if (!answer) return comparing
    // Another pair remounts the list, so that it keeps no state.
    return (
      <>
        {query.error &&
          inMiddle(
            <ErrorNote
              error={query.error}
              title="This could not be compared again: the report below is from before"
            />,
          )}
        <DiffResult key={JSON.stringify([a, b])} answer={answer} onOpen={onOpen} focusWanted={focusWanted} />
      </>
    )
  }
  return (
    <section
      className={join('pane', styles.page)}
      aria-label="Diff"
      data-over={isOver || undefined}
      onDragOver={event => {
        if (!canDrop || !hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setIsOver(true)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={event => {
        if (!canDrop || !hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setIsOver(false)
        compareFiles([...event.dataTransfer.files])
      }}
    >
      <h1 className="visually-hidden">Diff of two manifests</h1>
      <SideFields
        a={a ?? ''}
        b={b ?? ''}
        comparing={chosen && query.isFetching}
        strict={strict === '1'}
        onStrict={next => go({ strict: next ? '1' : undefined })}
        onSwap={swap}
        onFiles={canDrop ? compareFiles : undefined}
        onCompare={compare}
      />
      {reading.isError ? inMiddle(<ErrorNote error={reading.error} />) : body()}
    </section>
  )
}

interface SideFieldsProps {
  readonly a: string
  readonly b: string
  readonly comparing: boolean
  readonly strict: boolean
  readonly onStrict: (strict: boolean) => void
  readonly onSwap: () => void
  readonly onCompare: (a: string, b: string) => void
  /** Compares local files, for one side or for both; absent if the backend cannot. */
  readonly onFiles: ((files: readonly File[], side: 'a' | 'b') => void) | undefined
}

/** The two references: versions and files are chosen from a list, and any reference can be typed. */
function SideFields(props: SideFieldsProps) {
  const { a, b, comparing, strict, onStrict, onSwap, onCompare, onFiles } = props
  const [typed, setTyped] = useState({ a, b })
  const [known, setKnown] = useState(typed)
  // The URL changed (swap, back, a link): update the fields.
  if (known.a !== a || known.b !== b) {
    setKnown({ a, b })
    setTyped({ a, b })
  }
  const isChosen = a !== '' && b !== ''
  const field = (side: 'a' | 'b') => (
    <Field
      label={side === 'a' ? commonTexts.before : commonTexts.after}
      value={typed[side]}
      other={typed[side === 'a' ? 'b' : 'a']}
      empty={!isChosen && (side === 'a' ? b : a) !== ''}
      onChange={text => setTyped({ ...typed, [side]: text })}
      onPick={reference => {
        const next = { ...typed, [side]: reference }
        setTyped(next)
        if (next.a && next.b) onCompare(next.a, next.b)
      }}
      onFiles={onFiles && (files => onFiles(files, side))}
    />
  )
  return (
    <form
      className={join('row', styles.bar)}
      onSubmit={event => {
        event.preventDefault()
        onCompare(typed.a.trim(), typed.b.trim())
      }}
    >
      {field('a')}
      <ArrowRight size={14} aria-hidden className={styles.arrow} />
      {field('b')}
      <Button type="submit" look={isChosen ? 'plain' : 'primary'} disabled={comparing}>
        {comparing ? 'Comparing…' : typed.a === a && typed.b === b && isChosen ? 'Compare again' : 'Compare'}
      </Button>
      <Button look="quiet" onClick={onSwap} aria-label="Swap the two sides">
        <ArrowLeftRight size={14} aria-hidden /> Swap
      </Button>
      <label className={join('row muted', styles.strict)}>
        <input type="checkbox" checked={strict} onChange={event => onStrict(event.target.checked)} />
        Strict: also count undeclared fields
      </label>
    </form>
  )
}

interface ReferenceFieldProps {
  readonly label: string
  readonly value: string
  /** The reference of the other side. */
  readonly other: string
  /** Whether only this side is missing. */
  readonly empty: boolean
  readonly onChange: (text: string) => void
  readonly onPick: (reference: string) => void
  readonly onFiles: ((files: readonly File[]) => void) | undefined
}

/** Pixels beyond the width of any field: the browser stops at the end, so the width need not be measured. */
const maxOffset = 1_000_000

function Field({ label, value, other, empty, onChange, onPick, onFiles }: ReferenceFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // The end of a path is the most useful part: show it unless the user types.
  useLayoutEffect(() => {
    // The message was about an empty field.
    input.current?.setCustomValidity('')
    if (value !== '' && input.current && document.activeElement !== input.current)
      input.current.scrollLeft = maxOffset
  }, [value])
  return (
    <div className={join('row', styles.field)}>
      <label htmlFor={id} className={join('note', styles.label)}>
        {label}
      </label>
      <div className={join('row', styles.combined)}>
        <input
          ref={input}
          id={id}
          className="text-field"
          value={value}
          title={value}
          // biome-ignore lint/a11y/noAutofocus: after “Compare with…” the user chooses this side next
          autoFocus={empty}
          placeholder="source, source@2, file, git:HEAD:tools.json"
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          required
          pattern=".*\S.*"
          onInvalid={event =>
            event.currentTarget.setCustomValidity(
              `Fill in “${label}”: choose a version, or type a source, a file or an address.`,
            )
          }
          onChange={event => onChange(event.target.value)}
          onBlur={({ currentTarget }) => {
            currentTarget.scrollLeft = maxOffset
          }}
        />
        <VersionMenu side={label} other={other} onPick={onPick} onFiles={onFiles} />
      </div>
    </div>
  )
}

/** Sources that are listed; others can be typed. */
const maxSources = 12

interface VersionMenuProps {
  /** `Before` or `After`. */
  readonly side: string
  /** The reference of the other side, or an empty text. */
  readonly other: string
  readonly onPick: (reference: string) => void
  readonly onFiles: ((files: readonly File[]) => void) | undefined
}

/** A menu of the references of a side: sources, their versions with times, or a local file. */
function VersionMenu({ side, other, onPick, onFiles }: VersionMenuProps) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu trigger={<IconButton icon={ChevronDown} label={`Choose ${side.toLowerCase()}`} />}>
        <Versions other={other} onPick={onPick} />
        {onFiles && (
          <>
            <MenuRule />
            <MenuItem onSelect={() => file.current?.click()}>Choose a file…</MenuItem>
          </>
        )}
      </Menu>
      {onFiles && (
        <input
          ref={file}
          type="file"
          hidden
          multiple
          aria-label={`File for ${side.toLowerCase()}`}
          accept=".json,application/json"
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])])
            // Lets the user choose the same file again after an edit.
            target.value = ''
          }}
        />
      )}
    </>
  )
}

/** The versions of the sources, requested while the menu is open. */
function Versions({ other, onPick }: Pick<VersionMenuProps, 'other' | 'onPick'>) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const listed = withOwnFirst(sources, other).slice(0, maxSources)
  const versions = useQueries({
    queries: listed.map(({ name }) => versionsQuery(backend, name, maxVersions)),
    combine: answers => answers.map(({ data }) => data?.versions ?? []),
  })
  return listed.map((source, at) => (
    <div key={source.name}>
      <MenuLabel>{formatSourceTitle(source)}</MenuLabel>
      {listVersionChoices(source, versions[at] ?? [], other).map(({ reference, text }) => (
        <MenuItem key={reference} onSelect={() => onPick(reference)}>
          {text}
        </MenuItem>
      ))}
    </div>
  ))
}

const formatSourceTitle = ({ name, label }: SourceState) =>
  label === name ? name : `${name} · ${label.slice(-40)}`
