import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { Recognised } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import buttonStyles from '../../ui/button.module.css'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { readTextFile, type TextFile } from '../../ui/text-file.ts'
import { showError } from '../../ui/toasts.ts'
import { useDebouncedText } from '../../ui/use-debounced-text.ts'
import styles from './add-source.module.css'

interface FoundSourcesProps {
  /** Files that were dropped on the page. */
  readonly files: readonly TextFile[]
  readonly chosen: readonly { readonly name: string; readonly entry: SourceEntry }[]
  readonly onChoose: (chosen: readonly { readonly name: string; readonly entry: SourceEntry }[]) => void
}

/** A text that describes one or more sources: its recognised format, and a choice of the sources in it. */
export function FoundSources({ files, chosen, onChoose }: FoundSourcesProps) {
  const backend = useBackend()
  const id = useId()
  const [shown, setShown] = useState(files.length === 1 ? (files[0]?.text ?? '') : '')
  const recognising = useMutation({
    mutationFn: async (given: readonly TextFile[]): Promise<Recognised> => {
      const all = await Promise.all(
        given.map(body => backend.request('POST /api/sources/recognise', { body })),
      )
      const [first] = all
      if (first === undefined || all.length === 1)
        return first ?? { about: '', choose: 'several', sources: [] }
      const about = all.map(each => each.about).join('; ')
      return { about, choose: 'several', sources: all.flatMap(({ sources }) => sources) }
    },
    onSuccess: ({ choose, sources }) => {
      const usable = sources.flatMap(({ name, entry }) => (entry === undefined ? [] : [{ name, entry }]))
      onChoose(choose === 'one' ? usable.slice(0, 1) : usable)
    },
    onError: () => onChoose([]),
  })
  const recognise = (given: readonly TextFile[]) => {
    setShown(given.length === 1 ? (given[0]?.text ?? '') : '')
    if (given.some(({ text }) => text.trim() !== '')) recognising.mutate(given)
    else {
      recognising.reset()
      onChoose([])
    }
  }
  const [text, setText] = useDebouncedText(shown, typed => recognise([{ name: '', text: typed }]), 300)
  const { mutate } = recognising
  // Dropped files are inspected as soon as they are shown.
  useEffect(() => {
    if (files.length > 0) mutate(files)
  }, [files, mutate])
  const found = recognising.data
  return (
    <>
      <div className={styles.field}>
        <label htmlFor={id}>JSON</label>
        <textarea
          id={id}
          className={styles.text}
          value={text.length > 100_000 ? `${text.slice(0, 100_000)}…` : text}
          onChange={event => setText(event.target.value)}
          placeholder={'{"mcpServers": {…}}'}
          aria-describedby={`${id}-note`}
          spellCheck={false}
          rows={6}
        />
        <p id={`${id}-note`} className="note">
          A manifest, an mcp.json, the entry of one server, or the server.json of the MCP registry.
        </p>
      </div>
      <div>
        <label className={join(buttonStyles.button, styles.file)}>
          Choose a file…
          <input
            type="file"
            multiple
            className="visually-hidden"
            onChange={event => {
              const picked = [...(event.target.files ?? [])]
              event.target.value = ''
              void Promise.all(picked.map(readTextFile)).then(recognise, showError)
            }}
          />
        </label>
      </div>
      <ErrorNote error={recognising.error} title="Not recognised. Nothing was added." />
      {found && <FoundList id={id} found={found} chosen={chosen} onChoose={onChoose} />}
    </>
  )
}

interface FoundListProps extends Omit<FoundSourcesProps, 'files'> {
  readonly id: string
  readonly found: Recognised
}

/** The sources in a text, each with a checkbox. */
function FoundList({ id, found, chosen, onChoose }: FoundListProps) {
  const isOne = found.choose === 'one'
  return (
    <fieldset className="stack">
      <legend className={styles.legend}>{found.about}</legend>
      {found.sources.map(({ name, about, entry, problem }) => {
        const isChosen = chosen.some(each => each.entry === entry)
        const others = chosen.filter(each => each.entry !== entry)
        return (
          <label key={`${name} ${about}`} className={styles.found}>
            <input
              type={isOne ? 'radio' : 'checkbox'}
              name={id}
              checked={isChosen}
              disabled={entry === undefined}
              onChange={() => {
                if (entry === undefined) return
                if (isOne) onChoose([{ name, entry }])
                else onChoose(isChosen ? others : [...others, { name, entry }])
              }}
            />
            <span>
              <code>{name}</code> <span className="muted">{about}</span>
              {problem && <span className={styles.problem}> {problem}</span>}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
