import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useId, useState } from 'react'
import {
  type Agent,
  type AgentVariable,
  type InstructionPart,
  instructionParts,
  renderInstructions,
  variableEnvironmentName,
} from '../../../core/tool/agent.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { mask } from '../../../core/tool/mask.ts'
import { omitRepeated } from '../../../core/tool/result-value.ts'
import { useBackend } from '../../api/backend.ts'
import { endpointQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { Description } from '../../ui/markdown.tsx'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { ProblemList } from '../../ui/problem-list.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'
import { useAgents } from './agent-links.tsx'
import { AgentDocuments, AgentTools, ListSection } from './agent-lists.tsx'
import { useCallVariables, useEnteredValues } from './variable-store.ts'

/** The page of an agent: its instructions, its variables and its tools. */
export function AgentPage({ id }: { readonly id: string }) {
  const { data: agents } = useAgents()
  const agent = agents?.find(each => agentId(each) === id)
  if (agent) return <Loaded key={id} agent={agent} />
  return agents ? (
    <EmptyState title={`No agent “${id}”`}>Its source may be closed or its folder renamed.</EmptyState>
  ) : null
}

function Loaded({ agent }: { readonly agent: Agent }) {
  const go = useWorkbenchNavigate()
  const { name, title = name, version, description, source } = agent
  return (
    <section className={join('page', styles.page)} aria-label="Agent" data-testid="agent-page">
      <div>
        <div className={join('row wrap', styles.head)}>
          <h1 className={styles.title}>{title}</h1>
          {title !== name && <code>{name}</code>}
          {version !== undefined && <Badge>{version}</Badge>}
          <Badge tone="info">agent</Badge>
          <button
            type="button"
            className={styles.link}
            aria-label={`Show source ${source}`}
            onClick={() => go({ about: source, tool: undefined, tab: undefined })}
          >
            <Badge>{source}</Badge>
          </button>
        </div>
        {description && (
          <div className={styles.description}>
            <Description text={description} lines={8} />
          </div>
        )}
      </div>
      <ProblemList problems={agent.problems} />
      <div className={join('stack', styles.columns)}>
        <div className={join('stack', styles.column)}>
          <AgentVariables agent={agent} />
          {agent.dynamicInstructions ? (
            <DynamicInstructions agent={agent} />
          ) : (
            <AgentInstructions agent={agent} text={agent.instructions} />
          )}
        </div>
        <div className={join('stack', styles.column)}>
          <AgentTools agent={agent} />
          <ListSection title="Conversation starters" items={agent.conversationStarters}>
            {text => (
              <>
                <span className="grow">{text}</span>
                <CopyButton label={`Copy “${text.slice(0, 60)}”`} text={() => text} />
              </>
            )}
          </ListSection>
          <AgentDocuments documents={agent.documents} />
        </div>
      </div>
    </section>
  )
}

const key = 'POST /api/agents/{source}/{name}/instructions'

/** The result of the agent's function `_instructions`, which runs when the page opens and when the user asks for it. */
function DynamicInstructions({ agent }: { readonly agent: Agent }) {
  const { source, name } = agent
  const variables = useCallVariables(agent) ?? {}
  const refused = useRefusal(key)
  const query = endpointQuery(useBackend(), ['agent-instructions', source, name], key, {
    params: { source, name },
    body: { variables },
  })
  // The function runs each time the page opens, because the agent may have changed.
  const options = {
    ...query,
    enabled: query.enabled === true && refused === undefined,
    gcTime: 0,
    retry: false,
  }
  const { data, error, isFetching, refetch } = useQuery(options)
  const problem = data && 'problem' in data ? data.problem : undefined
  return (
    <>
      <AgentInstructions agent={agent} text={data && 'text' in data ? data.text : agent.instructions} />
      <section className="stack" aria-label="Dynamic instructions">
        <div className="row wrap">
          <span className="note grow">
            {isFetching
              ? 'The agent’s function _instructions runs…'
              : 'Written by the agent’s function _instructions, with the variables at the time of that run.'}
          </span>
          <Button onClick={() => void refetch()} disabled={isFetching} refused={refused}>
            <RotateCw size={14} aria-hidden /> Run again
          </Button>
        </div>
        <ErrorNote error={error} />
        {problem && (
          <>
            <p role="alert">
              No text: {omitRepeated(problem.message, problem.stderr ?? '') || 'it failed'}. {problem.hint}
            </p>
            {problem.stderr && <TextBox maxHeight={200}>{problem.stderr.slice(0, 20_000)}</TextBox>}
          </>
        )}
      </section>
    </>
  )
}

/** Characters that are shown; copying takes all of them. */
const maxTextLength = 60_000

type View = 'rendered' | 'raw'

const views: readonly Tab<View>[] = [
  { id: 'rendered', label: 'Rendered' },
  { id: 'raw', label: 'Raw' },
]

interface AgentInstructionsProps {
  readonly agent: Agent
  /** The instructions with `{{variables}}`. */
  readonly text: string
}

/** The agent's instructions, with the values of the variables or as written. */
function AgentInstructions({ agent, text: instructions }: AgentInstructionsProps) {
  const [view, setView] = useState<View>('rendered')
  const entered = useCallVariables(agent)
  if (instructions === '') return null
  const values = { ...agent.builtIn, ...secretsOfEnvironment(agent), ...entered }
  const text = () => (view === 'raw' ? instructions : renderInstructions(instructions, values))
  const parts = instructionParts(instructions.slice(0, maxTextLength), values)
  const missing = new Set(parts.flatMap(part => (part.kind === 'unknown' ? [part.name] : [])))
  return (
    <section className="stack" aria-label="Instructions">
      <div className={join('row', styles.headline)}>
        <h2>Instructions</h2>
        <span className="grow" />
        {missing.size > 0 && (
          <span className={styles.missing} title={[...missing].slice(0, 20).join(', ')}>
            {plural(missing.size, 'variable')} without a value
          </span>
        )}
        <CopyButton label="Copy the instructions" text={text} />
      </div>
      <div className={styles.box}>
        <Tabs label="Instructions" tabs={views} value={view} onChange={setView}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
          <pre className={join('wrapped', styles.instructions)} tabIndex={0} data-testid="agent-instructions">
            {view === 'raw' ? instructions.slice(0, maxTextLength) : parts.map(toElement)}
          </pre>
        </Tabs>
      </div>
      {instructions.length > maxTextLength && (
        <p className="muted">
          Only the first {plural(maxTextLength, 'character')} are shown. Copy takes all.
        </p>
      )}
    </section>
  )
}

/** Returns a placeholder for each secret, because only the server knows its value. */
const secretsOfEnvironment = ({ variables }: Agent) =>
  Object.fromEntries(
    variables.flatMap(each => (each.inEnvironment && each.default === undefined ? [[each.name, mask]] : [])),
  )

/** Marks the value of a variable, to distinguish it from the author's text. A secret stays masked. */
function toElement(part: InstructionPart, index: number) {
  if (part.kind === 'text') return part.text
  const unknown = part.kind === 'unknown'
  return (
    <mark
      key={index}
      className={unknown ? styles.unknown : styles.value}
      title={unknown ? `${part.name} has no value` : part.name}
    >
      {unknown ? `{{${part.name}}}` : isSecretName(part.name) ? mask : part.value}
    </mark>
  )
}

/** A form for the agent's variables. This browser keeps the values, and every call for this agent sends them. */
function AgentVariables({ agent }: { readonly agent: Agent }) {
  const { entered, enter } = useEnteredValues(agent)
  if (agent.variables.length === 0) return null
  return (
    <section className="stack" aria-label="Variables" data-testid="agent-variables">
      <h2>Variables</h2>
      <p className="muted">Sent with every call for this agent and filled into its instructions.</p>
      <div className={styles.variables}>
        {agent.variables.map(variable => (
          <Field
            key={variable.name}
            variable={variable}
            entered={Object.hasOwn(entered, variable.name) ? entered[variable.name] : undefined}
            onEnter={value => enter(variable.name, value)}
          />
        ))}
      </div>
    </section>
  )
}

interface VariableFieldProps {
  readonly variable: AgentVariable
  /** Absent if the default applies. */
  readonly entered: string | undefined
  readonly onEnter: (value: string | undefined) => void
}

/** Describes the field's value in words, because a default, no value and an empty text look alike. */
function describeFieldState({ variable, entered }: VariableFieldProps): string {
  const { default: fallback, inEnvironment = false } = variable
  if (entered === '') return 'empty text'
  if (entered !== undefined)
    return inEnvironment
      ? 'instead of the environment'
      : fallback === undefined
        ? ''
        : 'instead of the default'
  if (inEnvironment) return 'from the environment'
  return fallback === undefined ? 'no value' : 'default'
}

function Field(props: VariableFieldProps) {
  const { variable, entered, onEnter } = props
  const { name, description, default: fallback } = variable
  const id = useId()
  const [open, setOpen] = useState(false)
  const secret = isSecretName(name)
  const environmentName = variableEnvironmentName(name)
  return (
    <div className={styles.variable}>
      <div className={join('row', styles.headline)}>
        <label htmlFor={id} className="mono">
          {name}
        </label>
        <span className="muted">{describeFieldState(props)}</span>
        <span className="grow" />
        {entered !== undefined && (
          <Button look="quiet" className={styles.small} onClick={() => onEnter(undefined)}>
            {variable.inEnvironment
              ? 'Use the environment’s'
              : fallback === undefined
                ? 'Remove the value'
                : 'Use the default'}
          </Button>
        )}
      </div>
      <div className="row">
        <input
          id={id}
          className="text-field"
          type={secret && !open ? 'password' : 'text'}
          value={entered ?? fallback ?? ''}
          onChange={event => onEnter(event.target.value)}
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
        />
        {secret && (
          <Button aria-pressed={open} aria-label={`Show ${name}`} onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      <p id={`${id}-help`} className={join('note', styles.help)}>
        {description && <span>{description} · </span>}
        {environmentName === null ? (
          <span>Not a valid name of an environment variable: tools do not get it.</span>
        ) : (
          <code className="faint">{environmentName}</code>
        )}
        {secret && <span> A secret: not saved, gone when this page closes.</span>}
      </p>
    </div>
  )
}
