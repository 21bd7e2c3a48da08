import { MoreHorizontal, Play, Trash2 } from 'lucide-react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { ExampleOutcome } from '../../../core/checks/check-example.ts'
import type { Example, Expectation } from '../../../core/checks/example.ts'
import { inferSchema } from '../../../core/checks/infer-schema.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import type { Json } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { shorten } from '../../../core/text/wording.ts'
import type { EndedEvent } from '../../../core/tool/invocation.ts'
import { toOutcome } from '../../../core/tool/outcome.ts'
import { toResultValue } from '../../../core/tool/result-value.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatDuration, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import styles from './examples.module.css'
import type { useExamples } from './use-examples.ts'

const callItFirst = 'The last call had another input: load this one and call.'

interface ExampleRowProps {
  readonly example: Example
  readonly choices: readonly ExpectChoice[]
  readonly control: ReturnType<typeof useExamples>
  readonly canRun: boolean
  readonly onLoad: () => void
}

/** One example: its input, its expectation, and the outcome of its last run. */
export function ExampleRow({ example, choices, control, canRun, onLoad }: ExampleRowProps) {
  const { save, remove, run } = control
  const refusedRun = useRefusal('POST /api/examples/run')
  const refusedSave = useRefusal('PUT /api/examples')
  const { expect: _, ...rest } = example
  const outcome = control.outcomeOf(example.name)
  const running = control.running === example.name
  return (
    <li className={styles.row} data-example={example.name}>
      <div className={join('row wrap', styles.line)}>
        <button type="button" className={styles.name} onClick={onLoad} title="Load into the form">
          {example.name}
        </button>
        <Badge title={expectedJson(example)}>{expectationText(example)}</Badge>
        <code className={join('faint small truncate', styles.input)}>{oneLine(example.input)}</code>
        {example.savedBy !== undefined && <span className="note">by {example.savedBy}</span>}
        {canRun && (
          <Button
            look="quiet"
            onClick={() => run([example.name])}
            aria-disabled={control.running !== undefined}
            refused={refusedRun}
            aria-label={`Run ${example.name}`}
          >
            <Play size={14} aria-hidden /> {running ? 'Running…' : 'Run'}
          </Button>
        )}
        <Menu
          trigger={
            <Button look="quiet" aria-label={`Expected result of ${example.name}`}>
              <MoreHorizontal size={16} aria-hidden />
            </Button>
          }
        >
          <MenuLabel>Set as expected result</MenuLabel>
          {choices.map(({ id, label, expect, refused = refusedSave }) => (
            <MenuItem
              key={id}
              refused={refused}
              onSelect={() => save.mutate(expect === undefined ? rest : { ...rest, expect })}
            >
              {label}
            </MenuItem>
          ))}
          {choices.some(choice => choice.refused) && <MenuLabel>{callItFirst}</MenuLabel>}
        </Menu>
        <IconButton
          icon={Trash2}
          label={`Delete ${example.name}`}
          refused={useRefusal('DELETE /api/examples')}
          onClick={() => remove.mutate(example)}
        />
      </div>
      {example.note !== undefined && <p className="note">{example.note}</p>}
      {outcome && !running && <Outcome outcome={outcome} />}
    </li>
  )
}

function Outcome({ outcome }: { readonly outcome: ExampleOutcome }) {
  const { status, message, differences, more = 0, durationMs } = outcome
  return (
    <div className={join('box stack', styles.outcome)} role="status" data-testid="example-outcome">
      <p>
        <Badge tone={status === 'passed' ? 'ok' : 'bad'}>{status}</Badge> {message}
        {durationMs !== undefined && <span className="faint"> · {formatDuration(durationMs)}</span>}
      </p>
      {differences.length > 0 && (
        <ul className="stack">
          {differences.map(({ path, expected, actual }) => (
            <li key={path} className={styles.difference}>
              <code className="muted">{path || '/'}</code>
              <span>
                <span className="faint">expected</span> <code>{expected ?? 'nothing'}</code>{' '}
                <span className="faint">got</span> <code>{actual ?? 'nothing'}</code>
              </span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="muted">and {plural(more, 'more location')}</p>}
    </div>
  )
}

/** Characters of a value that are shown in one line. */
const maxLineLength = 300

/** Returns the value as JSON in one line, cut; its numbers keep their digits. */
function oneLine(value: Json): string {
  return shorten(writeJson(value, 0), maxLineLength)
}

/** Returns the expected result or shape; undefined if the expectation has none. */
function expectedJson({ expect }: Example): string | undefined {
  if (expect === undefined) return undefined
  if ('exact' in expect) return oneLine(expect.exact)
  return 'schema' in expect ? oneLine(expect.schema) : undefined
}

/** Describes an example's expectation in words. */
function expectationText({ expect }: Example): string {
  if (expect === undefined) return 'any good result'
  if ('exact' in expect) return 'exactly this result'
  if ('schema' in expect) return 'a result of this shape'
  if ('outputSchemaValid' in expect) return 'valid output'
  if ('refuses' in expect) return `refused${expect.refuses === '' ? '' : `, naming ${expect.refuses}`}`
  if ('accepts' in expect) return 'accepted as valid'
  return expect.fails === true ? 'a failure' : `fails: ${expect.fails}`
}

export interface ExpectChoice {
  readonly id: string
  readonly label: string
  /** Undefined removes the expectation. */
  readonly expect: Expectation | undefined
  /** Why it cannot be chosen. */
  readonly refused?: string
}

/** A call that has ended, with the exact text that it sent. */
export interface EndedCall {
  readonly inputText: string
  readonly ending: EndedEvent
}

/** Returns the expectations to choose from. The last result is offered only if its input is the example's. */
export function listExpectations(
  { outputSchema }: Pick<ToolDetail, 'outputSchema'>,
  example: Example,
  lastCall: EndedCall | undefined,
): readonly ExpectChoice[] {
  const ending = lastCall && isExampleInput(example, lastCall.inputText) ? lastCall.ending : undefined
  const choices: ExpectChoice[] = [{ id: 'any', label: 'Any good result', expect: undefined }]
  if (outputSchema !== undefined)
    choices.push({ id: 'valid', label: 'Output that fits its schema', expect: { outputSchemaValid: true } })
  const outcome = ending === undefined ? 'ok' : toOutcome(ending)
  if (outcome !== 'ok')
    return [...choices, { id: 'fails', label: `The failure: ${outcome}`, expect: { fails: outcome } }]
  const result = ending === undefined ? undefined : { exact: toResultValue(ending) }
  const refused = result === undefined ? { refused: callItFirst } : {}
  const shape = result && { schema: inferSchema(result.exact) }
  return [
    ...choices,
    { id: 'exact', label: 'The last result, exactly', expect: result, ...refused },
    { id: 'schema', label: 'The shape of the last result', expect: shape, ...refused },
  ]
}

/** Returns whether a call sent the example's input; true for masked secrets, which cannot be compared. */
function isExampleInput({ input, secretMarker }: Example, sent: string): boolean {
  if (secretMarker !== undefined || writeJson(input).includes('${env:')) return true
  const reading = readJson(sent)
  return reading.ok && jsonEquals(reading.value ?? {}, input)
}

/** Returns an unused name: `example 3`. */
export function findFreeExampleName(taken: readonly string[]): string {
  let count = taken.length + 1
  while (taken.includes(`example ${count}`)) count += 1
  return `example ${count}`
}
