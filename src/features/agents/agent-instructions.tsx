import { useState } from 'react'
import {
  type Agent,
  type InstructionPart,
  instructionParts,
  renderInstructions,
} from '../../../core/tool/agent.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { mask } from '../../../core/tool/mask.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import styles from './agent.module.css'
import { texts } from './texts.ts'
import { useCallVariables } from './variable-store.ts'

/** Characters shown; copying takes all. */
const maxShownLength = 60_000

type View = 'rendered' | 'raw'

const views: readonly Tab<View>[] = [
  { id: 'rendered', label: 'Rendered' },
  { id: 'raw', label: 'Raw' },
]

interface AgentInstructionsProps {
  readonly agent: Agent
  /** With `{{variables}}`. */
  readonly text: string
}

/** What the agent is told: with its variables filled in as a model gets it, or as written. */
export function AgentInstructions({ agent, text: instructions }: AgentInstructionsProps) {
  const [view, setView] = useState<View>('rendered')
  const entered = useCallVariables(agent)
  if (instructions === '') return null
  const values = { ...agent.builtIn, ...secretsOfEnvironment(agent), ...entered }
  const text = () => (view === 'raw' ? instructions : renderInstructions(instructions, values))
  const parts = instructionParts(instructions.slice(0, maxShownLength), values)
  const missing = new Set(parts.flatMap(part => (part.kind === 'unknown' ? [part.name] : [])))
  return (
    <section className="stack" aria-label={texts.instructions}>
      <div className={join('row', styles.headline)}>
        <h2>{texts.instructions}</h2>
        <span className="grow" />
        {missing.size > 0 && (
          <span className={styles.missing} title={[...missing].slice(0, 20).join(', ')}>
            {plural(missing.size, 'variable')} without a value
          </span>
        )}
        <CopyButton label="Copy the instructions" text={text} />
      </div>
      <div className={styles.box}>
        <Tabs label={texts.instructions} tabs={views} value={view} onChange={setView}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
          <pre className={join('wrapped', styles.instructions)} tabIndex={0} data-testid="agent-instructions">
            {view === 'raw' ? instructions.slice(0, maxShownLength) : parts.map(toElement)}
          </pre>
        </Tabs>
      </div>
      {instructions.length > maxShownLength && (
        <p className="muted">
          Only the first {plural(maxShownLength, 'character')} are shown. Copy takes all.
        </p>
      )}
    </section>
  )
}

/** Only the server knows them. */
const secretsOfEnvironment = ({ variables }: Agent) =>
  Object.fromEntries(
    variables.flatMap(each => (each.inEnvironment && each.default === undefined ? [[each.name, mask]] : [])),
  )

/** A variable's value is marked, so that it can be told from what the author wrote. A secret stays masked. */
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
