import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import type { CompletionItem } from './completion.ts'
import { CompletionList } from './completion-list.tsx'
import styles from './editor.module.css'
import { Highlighted } from './highlighted.tsx'
import { readHistory, stepHistory } from './script-history.ts'
import { useCompletion } from './use-completion.ts'

interface ScriptEditorProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly commands: readonly ConsoleCommand[]
  readonly names: ReadonlySet<string>
}

/** Height of a line; the list opens below it. */
const lineHeight = 20

/** A plain text field with colours under it, completion at the caret, and the history on the arrow keys. */
export function ScriptEditor({ text, onChange, commands, names }: ScriptEditorProps) {
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const mark = useRef<HTMLSpanElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const caretAfter = useRef<number>(undefined)
  const [spot, setSpot] = useState({ left: 0, top: 0 })
  const [browsing, setBrowsing] = useState<{ readonly at: number; readonly draft: string }>()
  const completion = useCompletion(commands)
  const { items, chosen, place } = completion
  const isOpen = items.length > 0
  const from = place?.from

  useLayoutEffect(() => {
    const caret = caretAfter.current
    if (caret !== undefined) input.current?.setSelectionRange(caret, caret)
    caretAfter.current = undefined
  })
  useLayoutEffect(() => {
    if (!isOpen || from === undefined || !mark.current || !scroll.current) return
    const { offsetLeft, offsetTop } = mark.current
    const widest = Math.max(0, scroll.current.clientWidth - 320)
    setSpot({
      left: Math.min(offsetLeft, widest),
      top: offsetTop - scroll.current.scrollTop + lineHeight + 4,
    })
  }, [isOpen, from])

  const pick = (item: CompletionItem) => {
    if (place === undefined) return
    const next = text.slice(0, place.from) + item.insert + text.slice(place.from + place.prefix.length)
    caretAfter.current = place.from + item.insert.length
    onChange(next)
    // After a command come its flags, after a flag its values.
    completion.update(next, caretAfter.current, item.insert.endsWith(' '))
  }

  const browse = (step: -1 | 1): boolean => {
    const history = readHistory()
    const now = browsing ?? { at: history.length, draft: text }
    const next = stepHistory(history, now.at, step)
    if (next === undefined) return false
    const shown = next.text ?? now.draft
    setBrowsing(next.text === undefined ? undefined : { at: next.at, draft: now.draft })
    caretAfter.current = step < 0 ? 0 : shown.length
    onChange(shown)
    return true
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const used = keyUsed(event)
    if (used) event.preventDefault()
  }

  const keyUsed = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event
    const { selectionStart, selectionEnd } = currentTarget
    if (ctrlKey && key === ' ') {
      completion.update(text, selectionStart, true)
      return true
    }
    if (ctrlKey || metaKey || altKey) return false
    const item = items[chosen]
    if (item !== undefined) {
      if (key === 'ArrowDown' || key === 'ArrowUp') completion.move(key === 'ArrowDown' ? 1 : -1)
      else if (
        (key === 'Tab' && !shiftKey) ||
        (key === 'Enter' && place?.prefix !== '' && item.label !== place?.prefix)
      )
        pick(item)
      else if (key === 'Escape') completion.close()
      else return false
      return true
    }
    if (selectionStart !== selectionEnd || shiftKey) return false
    if (key === 'ArrowUp' && !text.slice(0, selectionStart).includes('\n')) return browse(-1)
    if (key === 'ArrowDown' && !text.slice(selectionStart).includes('\n')) return browse(1)
    return false
  }

  return (
    <div className={styles.editor}>
      <div ref={scroll} className={styles.scroll} onScroll={completion.close}>
        <div className={styles.stack}>
          <pre className={styles.under} aria-hidden>
            <Highlighted text={text} commands={names} />
          </pre>
          <pre className={styles.mirror} aria-hidden>
            {text.slice(0, place?.from ?? 0)}
            <span ref={mark} />
          </pre>
          <textarea
            ref={input}
            className={styles.input}
            data-testid="script-editor"
            aria-label="Script"
            aria-autocomplete="list"
            aria-controls={isOpen ? id : undefined}
            aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
            placeholder="api_greet --name Ada | jq -r .greeting"
            value={text}
            rows={1}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            autoComplete="off"
            onKeyDown={onKeyDown}
            onChange={({ target }) => {
              setBrowsing(undefined)
              onChange(target.value)
              const { selectionStart: caret } = target
              completion.update(target.value, caret, opensList(text, target.value, caret))
            }}
            onClick={completion.close}
            onBlur={completion.close}
          />
        </div>
      </div>
      {isOpen && (
        <CompletionList id={id} items={items} chosen={chosen} left={spot.left} top={spot.top} onPick={pick} />
      )}
    </div>
  )
}

/** Typing a word opens the list, typing anything else or deleting closes it. */
function opensList(before: string, after: string, caret: number): boolean {
  if (after.length <= before.length) return false
  return /[\w-]/.test(after[caret - 1] ?? '') || /--[\w-]+[ =]$/.test(after.slice(0, caret))
}
