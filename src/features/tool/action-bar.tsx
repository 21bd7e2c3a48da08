import { BookmarkPlus, Eraser, ListChecks, type LucideIcon, WandSparkles } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { callWordsOf } from '../../ui/call-words.ts'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ShortcutKeys } from '../../ui/shortcuts/kbd.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './tool-pane.module.css'

interface ActionBarProps {
  /** What is called. */
  readonly tool: Pick<ToolDetail, 'kind'>
  /** Absent where the tool cannot be called. */
  readonly onCall: (() => void) | undefined
  readonly onSendAnyway: () => void
  readonly onCancel: () => void
  readonly running: boolean
  /** Problems that the user knows of: 0 before the first try. */
  readonly problems: number
  readonly onShowProblem: () => void
  /** Absent where the schema states no default. */
  readonly onApplyDefaults: (() => void) | undefined
  /** Absent where there is nothing to fill. */
  readonly onFillExample: (() => void) | undefined
  /** Absent where examples cannot be kept. */
  readonly onSaveExample: (() => void) | undefined
  readonly onReset: (() => void) | undefined
  /** "Copy as". */
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLDivElement>
}

/** What can be done with the input. */
export function ActionBar(props: ActionBarProps) {
  const { tool, onCall, running, problems } = props
  const words = callWordsOf(tool)
  const refusedCall = useRefusal('POST /api/invocations')
  return (
    <div ref={props.ref} className={join('row', styles.bar)} role="toolbar" aria-label={words.action}>
      {onCall ? (
        <Button
          look="primary"
          data-testid="call-button"
          onClick={onCall}
          aria-disabled={running}
          refused={refusedCall}
        >
          {running ? words.running : words.action} <ShortcutKeys id="call" />
        </Button>
      ) : (
        <span className="note">View only: its source gives no way to call it.</span>
      )}
      {running && (
        <Button data-testid="cancel-button" onClick={props.onCancel}>
          Cancel <ShortcutKeys id="cancel" />
        </Button>
      )}
      {onCall && !running && problems > 0 && (
        <Button onClick={props.onSendAnyway} refused={refusedCall}>
          Send anyway
        </Button>
      )}
      {problems > 0 && (
        <button type="button" className={join('link small', styles.problems)} onClick={props.onShowProblem}>
          {plural(problems, 'problem')}
        </button>
      )}
      <div className={join('row wrap end', styles.end)}>
        {props.children}
        {props.onApplyDefaults && (
          <Act icon={ListChecks} label="Apply defaults" onClick={props.onApplyDefaults} />
        )}
        {props.onFillExample && (
          <Act icon={WandSparkles} label="Fill example" onClick={props.onFillExample} />
        )}
        {props.onSaveExample && (
          <Act icon={BookmarkPlus} label="Save as example" onClick={props.onSaveExample} />
        )}
        {props.onReset && <Act icon={Eraser} label="Reset" onClick={props.onReset} />}
      </div>
    </div>
  )
}

interface ActProps {
  readonly icon: LucideIcon
  readonly label: string
  readonly onClick: () => void
}

/** Something to do with the input: its icon alone where the bar is short. */
function Act({ icon: Icon, label, onClick }: ActProps) {
  return (
    <Tooltip text={label}>
      <Button look="quiet" className={styles.act} aria-label={label} onClick={onClick}>
        <Icon size={15} aria-hidden />
        <span className={styles.actLabel}>{label}</span>
      </Button>
    </Tooltip>
  )
}
