import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { saveFile } from '../../../ui/text-file.ts'
import { TextLines, WrappedText } from '../../../ui/text-lines.tsx'
import styles from './viewers.module.css'

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

/** Characters; a longer text is shown in part, with a download for the whole. */
export const maxWholeLength = 5_000_000
/** Characters that are shown of a longer text. */
export const previewLength = 1_000_000
/** Characters; a longer text has no colours. */
const maxHighlightLength = 1_000_000
/** Longer lines are cut into pieces of this length: one line of megabytes would freeze the layout. */
export const maxLineLength = 800

/** Returns the part of a text that is shown. */
export function cutForPreview(text: string): { readonly text: string; readonly cut: boolean } {
  return text.length > maxWholeLength
    ? { text: text.slice(0, previewLength), cut: true }
    : { text, cut: false }
}

/** Splits a text into lines that are short enough to render. */
export function splitIntoLines(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (line.length <= maxLineLength) lines.push(line)
    else
      for (let at = 0; at < line.length; at += maxLineLength) lines.push(line.slice(at, at + maxLineLength))
  }
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** One coloured piece of JSON text. */
export interface JsonToken {
  readonly text: string
  readonly kind: 'key' | 'string' | 'number' | 'plain'
}

// Alternatives start with different characters and have no nested repeats, so matching is linear in the text.
const token = /"(?:[^"\\\n]|\\[^\n])*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[^"\d-]+|./gs

/** Splits JSON text into tokens to colour. The joined tokens are the text, even if it is not JSON. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = []
  for (const match of text.matchAll(token)) {
    const [piece, colon] = match
    if (piece.startsWith('"') && piece.length > 1) {
      const length = piece.length - (colon?.length ?? 0)
      tokens.push({ text: piece.slice(0, length), kind: colon ? 'key' : 'string' })
      if (colon) tokens.push({ text: colon, kind: 'plain' })
    } else tokens.push({ text: piece, kind: /^-?\d/.test(piece) ? 'number' : 'plain' })
  }
  return tokens
}
