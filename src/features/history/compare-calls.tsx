import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { StoredInvocation } from '../../../core/api/history.ts'
import { findDifferences } from '../../../core/checks/differences.ts'
import type { Json } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { toAnswerValue } from '../../../core/tool/result-value.ts'
import { useBackend } from '../../api/backend.ts'
import { storedCallQuery } from '../../api/history.ts'
import { Spinner } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatDuration, formatTime, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { JsonDiff } from '../../ui/json-editor/json-editor.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { DifferenceTable } from '../../ui/table.tsx'
import styles from './history.module.css'
import { useHistorySearch } from './history-search.ts'
import { OutcomeBadge } from './outcome.tsx'

const twoCallsCompared = 'Two calls compared'

/** Shows where the inputs and results of two calls differ. The older one is on the left. */
export function CompareCalls({ first, second }: { readonly first: string; readonly second: string }) {
  const backend = useBackend()
  const a = useQuery(storedCallQuery(backend, first))
  const b = useQuery(storedCallQuery(backend, second))
  const error = a.error ?? b.error
  if (a.data && b.data) {
    const [older, newer] = a.data.startedAt <= b.data.startedAt ? [a.data, b.data] : [b.data, a.data]
    return <Compared older={older} newer={newer} />
  }
  return <div className="padded">{error ? <ErrorNote error={error} /> : <Spinner />}</div>
}

interface Sides {
  readonly older: StoredInvocation
  readonly newer: StoredInvocation
}

function Compared({ older, newer }: Sides) {
  const [, go] = useHistorySearch()
  const inputs = useMemo(() => [readInput(older), readInput(newer)] as const, [older, newer])
  const results = useMemo(() => [readEndingValue(older), readEndingValue(newer)] as const, [older, newer])
  return (
    <article className={join('pane', styles.compare)} aria-label={twoCallsCompared}>
      <header className={join('row', styles.comparedHead)}>
        <h2 className={join('row grow', styles.comparedTitle)}>
          <ArrowLeftRight size={15} aria-hidden /> {twoCallsCompared}
        </h2>
        <IconButton
          icon={X}
          label="Stop comparing"
          onClick={() => go({ with: undefined }, { replace: true })}
        />
      </header>
      <div className={styles.sides}>
        <Side word="Older" call={older} />
        <Side word="Newer" call={newer} />
      </div>
      <Part title="Input" sides={inputs} />
      <Part title="Result" sides={results} />
    </article>
  )
}

function Side({ word, call }: { readonly word: string; readonly call: StoredInvocation }) {
  return (
    <p className={join('row wrap', styles.side)}>
      <span className="muted">{word}</span>
      <code>{call.tool}</code>
      <OutcomeBadge end={call} />
      <span className="muted">
        {call.outcome !== 'unfinished' && `${formatDuration(call.durationMs)} · `}
        {formatTime(call.startedAt, new Date())}
      </span>
    </p>
  )
}

/** Characters; the editors are not offered for a longer text. */
const maxEditorCharacters = 2_000_000

interface ComparedPartProps {
  readonly title: string
  readonly sides: readonly [Json, Json]
}

function Part({ title, sides: [before, after] }: ComparedPartProps) {
  const [isSideBySide, setIsSideBySide] = useState(false)
  const compared = useMemo(() => findDifferences(before, after, 200), [before, after])
  const count = compared.differences.length + compared.more
  const written = useMemo(
    () => (isSideBySide ? [writeJson(before), writeJson(after)] : undefined),
    [isSideBySide, before, after],
  )
  const tooLarge = written?.some(text => text.length > maxEditorCharacters)
  return (
    <section className={styles.part} aria-label={title}>
      <div className={join('row', styles.comparedHead)}>
        <h3>{title}</h3>
        <span className="muted">{count === 0 ? 'the same' : plural(count, 'difference')}</span>
        <span className="grow" />
        {count > 0 && (
          <Button look="quiet" aria-pressed={isSideBySide} onClick={() => setIsSideBySide(!isSideBySide)}>
            {isSideBySide ? 'List the differences' : 'Side by side'}
          </Button>
        )}
      </div>
      {tooLarge && <p className="muted">Too large to be shown side by side.</p>}
      {written && !tooLarge ? (
        <div className={styles.editors}>
          <JsonDiff before={written[0] ?? ''} after={written[1] ?? ''} label={`${title}, older and newer`} />
        </div>
      ) : (
        count > 0 && <DifferenceTable {...compared} sides={['Older', 'Newer']} />
      )}
    </section>
  )
}

function readInput(call: StoredInvocation): Json {
  const reading = readJson(call.inputText)
  return reading.ok && reading.value !== undefined ? reading.value : call.inputText
}

function readEndingValue(call: StoredInvocation): Json {
  const ending = call.events.findLast(event => event.type === 'result' || event.type === 'failure')
  return ending?.type === 'result' || ending?.type === 'failure' ? toAnswerValue(ending) : null
}
