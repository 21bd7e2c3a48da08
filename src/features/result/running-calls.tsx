import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { plural } from '../../ui/format.ts'
import { useStore } from '../../ui/value-store.ts'
import { type RunningCall, runningCalls } from './invocation-store.ts'

interface RunningCallsProps {
  /** The open tool, whose call is already next to the form. */
  readonly openRef: string | undefined
}

/** The calls of other tools that run or wait for an answer, as a link to the first of them. */
export function RunningCalls({ openRef }: RunningCallsProps) {
  const others = useStore(runningCalls).filter(({ ref }) => ref !== openRef)
  const asking = others.filter(({ asks }) => asks)
  const running = others.filter(({ asks }) => !asks)
  return (
    <>
      <LinkToFirst
        calls={asking}
        label={
          asking.length === 1 ? '1 call waits for your answer' : `${asking.length} calls wait for your answer`
        }
      />
      <LinkToFirst calls={running} label={`${plural(running.length, 'call')} running`} />
    </>
  )
}

function LinkToFirst({
  calls: [first],
  label,
}: {
  readonly calls: readonly RunningCall[]
  readonly label: string
}) {
  return (
    first && (
      <Link to="/" search={{ tool: first.ref }} title={first.ref}>
        {label}
      </Link>
    )
  )
}

/** Makes the browser ask before it leaves or reloads a page with a running call, which would end the call. */
export function AskBeforeLeaving() {
  const isRunning = useStore(runningCalls).length > 0
  useEffect(() => {
    // Only during a call: the browser's back cache excludes a page with this listener.
    if (!isRunning) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isRunning])
  return null
}
