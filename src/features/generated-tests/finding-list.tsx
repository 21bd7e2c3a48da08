import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, BookmarkCheck, Check, CircleAlert, Copy, SquarePen } from 'lucide-react'
import { useId } from 'react'
import { readExample } from '../../../core/checks/example.ts'
import type { GeneratedFinding } from '../../../core/checks/generated-checks.ts'
import { jsonText } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { groupBy } from '../../../core/lists.ts'
import { shorten } from '../../../core/text/wording.ts'
import { useBackend } from '../../api/backend.ts'
import { examplesQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import styles from './generated-tests.module.css'

/** The verdicts in a few words, the worst first. */
const verdictLabels: Readonly<Record<GeneratedFinding['verdict'], string>> = {
  crash: 'crash',
  hang: 'no answer in time',
  'server-error': 'server error',
  'stack-trace': 'stack trace',
  'protocol-error': 'protocol error',
  'accepted-silently': 'accepted silently',
  'output-invalid': 'invalid output',
  'refused-valid': 'refused a valid input',
  'field-not-named': 'field not named',
}

const ranks = Object.keys(verdictLabels)

/** Returns the findings with the worst first. */
function sortFindings(findings: readonly GeneratedFinding[]): readonly GeneratedFinding[] {
  return findings.toSorted((a, b) => ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict))
}

interface FindingListProps {
  readonly findings: readonly GeneratedFinding[]
  /** Whether they are of several tools, which are named then. */
  readonly isOfSource: boolean
  /** Fills the form of a tool with an input, as JSON text, and shows it. */
  readonly onTry: (ref: string, inputText: string) => void
}

/** The faults of a run, one for each cause of each tool. */
export function FindingList({ findings, isOfSource, onTry }: FindingListProps) {
  return [...groupBy(findings, ({ ref }) => ref)].map(([ref, ofTool]) => (
    <ToolFindings key={ref} toolRef={ref} findings={ofTool} hasHeading={isOfSource} onTry={onTry} />
  ))
}

interface ToolFindingsProps extends Pick<FindingListProps, 'findings' | 'onTry'> {
  readonly toolRef: string
  readonly hasHeading: boolean
}

function ToolFindings({ toolRef, findings, hasHeading, onTry }: ToolFindingsProps) {
  const { data } = useQuery({ ...examplesQuery(useBackend(), toolRef), refetchOnMount: false })
  const savedNames = new Set(data?.examples.map(({ name }) => name))
  return (
    <div>
      <h3 className={hasHeading ? 'mono' : undefined}>{hasHeading ? toolRef : 'Findings'}</h3>
      <ul aria-label={`Findings of ${toolRef}`}>
        {sortFindings(findings).map(finding => (
          <Finding key={finding.id} finding={finding} savedNames={savedNames} onTry={onTry} />
        ))}
      </ul>
    </div>
  )
}

interface FindingProps {
  readonly finding: GeneratedFinding
  /** The names of the tool's examples. */
  readonly savedNames: ReadonlySet<string>
  readonly onTry: FindingListProps['onTry']
}

function Finding({ finding, savedNames, onTry }: FindingProps) {
  const { verdict, message, why, constraint, inputText, isSmallest, count, calls, notes } = finding
  const titleId = useId()
  const [copied, copy] = useCopy()
  return (
    <li className={styles.finding} aria-labelledby={titleId} data-finding={verdict}>
      <p className="row wrap" id={titleId}>
        <Badge tone={verdict === 'field-not-named' ? 'warn' : 'bad'} icon={CircleAlert}>
          {verdictLabels[verdict]}
        </Badge>
        <span className="note">
          {calls
            ? plural(calls.length, 'call')
            : finding.kind === 'valid'
              ? 'valid input'
              : 'forbidden input'}
          {count > 1 && ` · and ${plural(count - 1, 'other input')} that fail${count === 2 ? 's' : ''} alike`}
        </span>
      </p>
      <p>{message}</p>
      <p className="muted">
        {why} {calls === undefined && <ConstraintText {...constraint} />}
      </p>
      <div className="stack">
        <p className="note">
          {calls
            ? 'The calls in their order'
            : isSmallest
              ? 'The smallest input that fails alike'
              : 'The input'}
        </p>
        <TextBox maxHeight={200}>
          {calls
            ? calls.map(call => `${call.ref} ${layOutJson(call.inputText)}`).join('\n')
            : layOutJson(inputText)}
        </TextBox>
      </div>
      {notes.map(note => (
        <p key={note} className="note">
          {note}
        </p>
      ))}
      <div className={join('row wrap', styles.acts)}>
        {calls === undefined && (
          <Button onClick={() => onTry(finding.ref, inputText)}>
            <SquarePen size={14} aria-hidden /> Try it
          </Button>
        )}
        <Button onClick={() => copy(finding.shellLine)} title={finding.shellLine}>
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} Copy as shell line
        </Button>
        <SaveFinding finding={finding} savedNames={savedNames} />
        <span className="visually-hidden" aria-live="polite">
          {copied ? 'Copied' : ''}
        </span>
      </div>
    </li>
  )
}

/** Maximum characters of a constraint's value. */
const maxValueLength = 80

/** The keyword with its value, and its location in the schema. */
function ConstraintText({ pointer, keyword, value }: GeneratedFinding['constraint']) {
  const text = value === undefined ? '' : `: ${shorten(jsonText(value) ?? '', maxValueLength)}`
  return (
    <code className="small" title="The constraint in the input schema">
      {`${pointer}/${keyword}${text}`}
    </code>
  )
}

/** Keeps the input as an example, which `toolscope check` runs from then on. */
function SaveFinding({ finding: { ref, exampleText }, savedNames }: Omit<FindingProps, 'onTry'>) {
  const backend = useBackend()
  const client = useQueryClient()
  const name = exampleText === undefined ? undefined : nameOfExample(exampleText)
  const saving = useMutation({
    mutationFn: (text: string) => backend.request('PUT /api/examples', { body: { ref, text } }),
    onSuccess: () => client.invalidateQueries({ queryKey: examplesQuery(backend, ref).queryKey }),
  })
  const refused = useRefusal('PUT /api/examples')
  if (!backend.has('PUT /api/examples')) return null
  const isSaved = name !== undefined && savedNames.has(name)
  const unsavable = exampleText === undefined ? 'An example cannot hold this.' : undefined
  const leftOut = saving.data?.leftOut ?? []
  return (
    <>
      <Button
        onClick={() => exampleText !== undefined && saving.mutate(exampleText)}
        disabled={saving.isPending}
        refused={isSaved ? `Saved as “${name}”.` : (refused ?? unsavable)}
      >
        {isSaved ? <BookmarkCheck size={14} aria-hidden /> : <Bookmark size={14} aria-hidden />}
        {isSaved ? 'Saved' : 'Save as example'}
      </Button>
      <span className="note" role="status">
        {saving.isSuccess && `Saved as “${name ?? ''}”.`}
        {leftOut.length > 0 && ` Not saved because it looks like a secret: ${leftOut.join(', ')}.`}
      </span>
      <ErrorNote error={saving.error} />
    </>
  )
}

function nameOfExample(text: string): string | undefined {
  const reading = readExample(text)
  return reading.ok ? reading.example.name : undefined
}

/** Characters of an input that is shown in one line. */
const maxLineLength = 60

/** Returns the JSON in one line if it is short, else indented; with the digits of its numbers. */
function layOutJson(text: string): string {
  const reading = readJson(text)
  if (!reading.ok || reading.value === undefined) return text
  const line = writeJson(reading.value, 0)
  return line.length > maxLineLength ? writeJson(reading.value) : line
}
