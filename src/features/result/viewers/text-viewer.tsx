import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { saveFile } from '../../../ui/text-file.ts'
import { TextLines, WrappedText } from '../../../ui/text-lines.tsx'
import { cutForPreview, maxHighlightLength, splitIntoLines } from '../text-lines.ts'
import { jsonTokens } from './json-tokens.ts'
import styles from './text.module.css'

/** Characters; a shorter text is one wrapped block, a longer one renders only visible lines. */
const maxBlockLength = 60_000

interface TextViewerProps {
  readonly text: string
  readonly label: string
  readonly fileName: string
}

/** The exact text, of any size. */
export function TextViewer({ text, label, fileName }: TextViewerProps) {
  const { text: preview, cut } = useMemo(() => cutForPreview(text), [text])
  return (
    <>
      {cut && (
        <div className={join('notice row wrap small', styles.notice)}>
          The first {formatBytes(preview.length)} of {formatBytes(text.length)} are shown.
          <Button onClick={() => saveFile(text, fileName)}>
            <Download size={14} aria-hidden /> Download all
          </Button>
        </div>
      )}
      {preview.length <= maxBlockLength ? (
        <WrappedText label={label}>
          {looksLikeJson(preview) ? <Coloured text={preview} /> : preview}
        </WrappedText>
      ) : (
        <Lines text={preview} label={label} />
      )}
    </>
  )
}

const looksLikeJson = (text: string) => /^\s*[[{"]/.test(text)

function Lines({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = useMemo(() => splitIntoLines(text), [text])
  const isColoured = text.length <= maxHighlightLength && looksLikeJson(text)
  return (
    <TextLines
      lines={lines}
      label={label}
      renderLine={line => (isColoured ? <Coloured text={line} /> : line)}
    />
  )
}

function Coloured({ text }: { readonly text: string }) {
  let at = 0
  return jsonTokens(text).map(token => {
    const key = at
    at += token.text.length
    if (token.kind === 'plain') return token.text
    return (
      <span key={key} className={join(`json-${token.kind}`, token.kind === 'key' && styles.key)}>
        {token.text}
      </span>
    )
  })
}
