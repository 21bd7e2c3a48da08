import {
  BookmarkPlus,
  Ellipsis,
  Eraser,
  ListChecks,
  ListPlus,
  type LucideIcon,
  WandSparkles,
} from 'lucide-react'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { getCallWords } from '../../ui/call-words.ts'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './tool-pane.module.css'

interface ActionBarProps {
  readonly tool: Pick<ToolDetail, 'kind'>
  /** Absent if the tool cannot be called. */
  readonly onCall: (() => void) | undefined
  /** Absent if the input cannot be sent. */
  readonly onSendAnyway: (() => void) | undefined
  readonly onCancel: () => void
  readonly running: boolean
  /** Number of problems that the user knows of: 0 before the first attempt. */
  readonly problems: number
  readonly onShowProblem: () => void
  /** Absent if the schema has no default. */
  readonly onApplyDefaults: (() => void) | undefined
  /** Absent if there is nothing to fill. */
  readonly onFillExample: (() => void) | undefined
  /** Fills the optional fields too. Absent if there is nothing to fill. */
  readonly onFillAll: (() => void) | undefined
  /** Absent if examples cannot be stored. */
  readonly onSaveExample: (() => void) | undefined
  readonly onReset: (() => void) | undefined
  /** The time limit, next to the button of the call. */
  readonly limit?: ReactNode
  /** The message above the bar, in a row of its own: it covers no field. */
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLDivElement>
}

/** The actions on an input, in one row whose buttons do not move when others appear. */
export function ActionBar(props: ActionBarProps) {
  const { tool, onCall, running, problems } = props
  const possible: readonly PossibleAct[] = [
    { icon: WandSparkles, label: 'Fill example', run: props.onFillExample },
    { icon: Eraser, label: 'Reset', run: props.onReset },
    { icon: ListChecks, label: 'Apply defaults', run: props.onApplyDefaults },
    { icon: BookmarkPlus, label: 'Save as example', run: props.onSaveExample },
    { icon: ListPlus, label: 'Fill all', run: props.onFillAll },
  ]
  const acts = possible.filter(isOffered)
  const words = getCallWords(tool)
  const refusedCall = useRefusal('POST /api/invocations')
  return (
    <div className={styles.foot}>
      {props.children}
      <div
        ref={props.ref}
        className={join('row', styles.bar)}
        data-kind={tool.kind}
        role="toolbar"
        aria-label={words.action}
      >
        {onCall ? (
          <Button
            look="primary"
            data-testid="call-button"
            onClick={({ detail }) => {
              // An instant tool has answered before the second click of a double click.
              if (detail < 2) onCall()
            }}
            aria-disabled={running}
            refused={refusedCall}
          >
            {running ? words.running : words.action}
            <span className={styles.keys}>
              <ShortcutKeys id="call" />
            </span>
          </Button>
        ) : (
          <span className="note truncate">View only: its source gives no way to call it.</span>
        )}
        {onCall && props.limit}
        {running && (
          <Button data-testid="cancel-button" onClick={props.onCancel}>
            {commonTexts.cancel}
            <span className={styles.keys}>
              <ShortcutKeys id="cancel" />
            </span>
          </Button>
        )}
        {onCall && props.onSendAnyway && !running && problems > 0 && (
          <Button onClick={props.onSendAnyway} refused={refusedCall}>
            Send anyway
          </Button>
        )}
        {problems > 0 && (
          <button
            type="button"
            className={join('link small truncate', styles.problems)}
            onClick={props.onShowProblem}
          >
            {plural(problems, 'problem')}
          </button>
        )}
        <span className="grow" />
        {acts.length > 0 && <Acts acts={acts} steps={tool.kind === undefined ? steps : stepsOfOthers} />}
      </div>
    </div>
  )
}

interface Act {
  readonly icon: LucideIcon
  readonly label: string
  readonly run: () => void
}

/** An act without `run` is not offered. */
type PossibleAct = Omit<Act, 'run'> & { readonly run: Act['run'] | undefined }

const isOffered = (act: PossibleAct): act is Act => act.run !== undefined

/**
 * For each act, the step in the style sheet from which the bar has room for it. Words such as "Read resource" need more
 * room than "Call".
 */
const steps = ['1', '2', '3', '3', '4'] as const
const stepsOfOthers = ['2', '2', '3', '3', '4'] as const

interface ActsProps {
  readonly acts: readonly Act[]
  readonly steps: typeof steps | typeof stepsOfOthers
}

/** The acts as buttons, as many as fit; the others are in a menu. */
function Acts({ acts, steps }: ActsProps) {
  const row = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState<readonly Act[]>([])
  const findHidden = () => {
    const buttons = row.current?.querySelectorAll<HTMLElement>('[data-from]') ?? []
    setHidden(acts.filter((_, index) => buttons[index]?.offsetParent === null))
  }
  return (
    <div ref={row} className={join('row', styles.acts)}>
      {acts.map(({ icon: Icon, label, run }, index) => (
        <Button key={label} look="quiet" className={styles.act} data-from={steps[index]} onClick={run}>
          <Icon size={15} aria-hidden /> {label}
        </Button>
      ))}
      <Menu
        trigger={
          <Button look="quiet" className={styles.more} data-until={steps[acts.length - 1]}>
            <Ellipsis size={15} aria-hidden /> More
          </Button>
        }
        onOpenChange={open => open && findHidden()}
      >
        {hidden.map(({ icon, label, run }) => (
          <MenuItem key={label} icon={icon} onSelect={run}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}

const durationMs = 4_000

export interface Brief {
  readonly text: string
  /** The input text that the message is about: with another text it is outdated. */
  readonly about?: string | undefined
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

export const noMessage: Brief = { text: '' }

/** A message over the action bar that disappears by itself. `show` replaces the current one; '' removes it. */
export function useBriefMessage() {
  const [message, setMessage] = useState(noMessage)
  const timer = useRef<number>(undefined)
  const show = (
    text: string,
    { forMs = durationMs, ...more }: Omit<Brief, 'text'> & { forMs?: number } = {},
  ) => {
    clearTimeout(timer.current)
    setMessage({ text, ...more })
    timer.current = window.setTimeout(() => setMessage(noMessage), forMs)
  }
  return { message, show }
}

interface BriefMessageProps {
  readonly message: Brief
  readonly testId: string
}

/** A live region, so it stays mounted while it is empty. */
export function BriefMessage({ message: { text, action }, testId }: BriefMessageProps) {
  const host = useRef<HTMLSpanElement>(null)
  return (
    <span
      ref={host}
      tabIndex={-1}
      className={text === '' ? 'visually-hidden' : join('row small', styles.brief)}
      data-testid={testId}
    >
      <span role="status">{text}</span>
      {action && (
        <button
          type="button"
          className="link"
          onClick={() => {
            // The button is removed; the focus stays here unless the action moves it.
            host.current?.focus()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
    </span>
  )
}
