import { Check, Copy, Download } from 'lucide-react'
import { useMemo } from 'react'
import type { PromptAnswer, PromptQuery } from '../../../core/api/prompt.ts'
import { promptFormatTitles } from '../../../core/prompt/formats.ts'
import { useBackend } from '../../api/backend.ts'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { saveFile } from '../../ui/save-file.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { TextLines, WrappedText } from '../../ui/text-lines.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './prompt-text.module.css'
import { texts } from './texts.ts'

/** Longer lines are cut: one line of megabytes would freeze the layout. */
const maxLineCharacters = 5_000

interface PromptTextProps {
  readonly answer: PromptAnswer
  readonly query: PromptQuery
  readonly busy: boolean
}

/** The exact prompt. Of a very long one the beginning is shown; Copy and Download take all of it. */
export function PromptText({ answer, query, busy }: PromptTextProps) {
  const backend = useBackend()
  const [copied, copy] = useCopy()
  const { preview, cut, characters, format } = answer
  const lines = useMemo(() => preview.split('\n').map(line => line.slice(0, maxLineCharacters)), [preview])
  const fullText = async () => (cut ? backend.requestText('POST /api/prompt/text', { body: query }) : preview)
  const fileName = `prompt-${format}${answer.compact ? '-compact' : ''}.${format === 'text' ? 'txt' : 'json'}`
  return (
    <>
      <div className={join('row wrap', styles.bar)}>
        <h2>{promptFormatTitles[format]}</h2>
        <span className="muted">{formatCount(characters)} characters as sent</span>
        {busy && <Spinner />}
        <span className="end row">
          <Button onClick={async () => copy(await fullText())}>
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {commonTexts.copy}
          </Button>
          <Button onClick={async () => saveFile(await fullText(), fileName)}>
            <Download size={14} aria-hidden /> Download
          </Button>
          <span className="visually-hidden" aria-live="polite">
            {copied ? commonTexts.copied : ''}
          </span>
        </span>
      </div>
      {cut && (
        <p className={join('small', styles.notice)}>Preview, shortened. Copy and Download give everything.</p>
      )}
      {format === 'text' ? (
        <WrappedText label={texts.thePrompt} testId="prompt-text">
          {preview}
        </WrappedText>
      ) : (
        <TextLines lines={lines} label={texts.thePrompt} testId="prompt-text" />
      )}
    </>
  )
}
