import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { formatCount } from '../../../ui/format.ts'
import { TextBox } from '../../../ui/scroll.tsx'
import { commonTexts } from '../../../ui/texts.ts'
import type { AppQuestion } from './app-session.ts'

const titles = {
  link: 'The app wants to open an address',
  download: 'The app wants to save files',
  call: 'The app wants to call a tool',
} as const satisfies Record<AppQuestion['kind'], string>

const acceptLabels = { link: 'Open', download: 'Save', call: 'Call anyway' } as const

/** Milliseconds for which a question must be visible before it can be accepted: an app can ask in the middle of a double click. */
const readMs = 700

/**
 * Asks the user before something leaves the frame. Escape declines. The first button declines, and has the focus. Must
 * have the question's id as its key.
 */
export function QuestionDialog({ question }: { readonly question: AppQuestion }) {
  const { kind, text, detail, accept, decline } = question
  const { isReady, isLateEnough } = useReadingTime()
  return (
    <Dialog open onOpenChange={decline} title={titles[kind]}>
      <div className="stack">
        <p className="wrapped">{text}</p>
        <TextBox maxHeight="40vh">{detail}</TextBox>
        {kind === 'call' && <p className="note">{formatCount(detail.length)} characters</p>}
        <DialogActions>
          <Button autoFocus onClick={decline}>
            {commonTexts.cancel}
          </Button>
          <Button
            look={kind === 'call' ? 'danger' : 'primary'}
            disabled={!isReady}
            onClick={event => isLateEnough(event) && accept()}
          >
            {acceptLabels[kind]}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/**
 * Returns whether the question was visible for long enough, and whether a click was. The time starts again while a frame
 * has the focus. A page that an app slowed down can get a click that is older than what the page draws.
 */
function useReadingTime() {
  const [isReady, setReady] = useState(false)
  const visibleAt = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    let frame = 0
    const check = (now: number) => {
      const isAway = document.activeElement instanceof HTMLIFrameElement
      if (isAway || visibleAt.current === Number.POSITIVE_INFINITY) visibleAt.current = now
      setReady(now - visibleAt.current >= readMs)
      frame = requestAnimationFrame(check)
    }
    frame = requestAnimationFrame(check)
    return () => cancelAnimationFrame(frame)
  }, [])
  return {
    isReady,
    isLateEnough: (event: MouseEvent) => event.nativeEvent.timeStamp - visibleAt.current >= readMs,
  }
}
