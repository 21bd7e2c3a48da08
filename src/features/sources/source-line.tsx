import { type ReactNode, useId } from 'react'
import buttonStyles from '../../ui/button.module.css'
import { join } from '../../ui/join.ts'
import { readPickedFile, type TextFile } from '../../ui/text-file.ts'
import { showError } from '../../ui/toasts.ts'
import styles from './add-source.module.css'

interface SourceLineProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Receives the files that were chosen. */
  readonly onFiles: (files: readonly TextFile[]) => void
  /** The kind of what the text names; absent before it is known. */
  readonly about: ReactNode
}

/** Characters of a text that are shown. */
const maxVisibleLength = 100_000

/** The one field of "Add source". It grows with its text; Enter submits one line, and breaks the lines of a longer text. */
export function SourceLine({ text, onChange, onFiles, about }: SourceLineProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Command, address, path or JSON</label>
      <div className={styles.line}>
        <textarea
          id={id}
          className={styles.text}
          // The page and the window have no other purpose.
          // biome-ignore lint/a11y/noAutofocus: focus follows the action
          autoFocus
          value={text.length > maxVisibleLength ? `${text.slice(0, maxVisibleLength)}…` : text}
          onChange={event => onChange(event.target.value)}
          onKeyDown={event => {
            const isLine = !/\n|^\s*[{[]/.test(text)
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !isLine) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
          placeholder="npx -y @modelcontextprotocol/server-everything"
          aria-describedby={`${id}-about`}
          autoComplete="off"
          spellCheck={false}
          rows={1}
        />
        <label className={join(buttonStyles.button, styles.file)}>
          Choose a file…
          <input
            type="file"
            multiple
            className="visually-hidden"
            onChange={event => {
              const picked = [...(event.target.files ?? [])]
              event.target.value = ''
              void Promise.all(picked.map(readPickedFile)).then(onFiles, showError)
            }}
          />
        </label>
      </div>
      <p id={`${id}-about`} className={styles.recognised} role="status">
        {about ??
          'A program, a server’s URL, a folder, an mcp.json, a manifest or a “claude mcp add …” line. Nothing starts before you add it.'}
      </p>
    </div>
  )
}
