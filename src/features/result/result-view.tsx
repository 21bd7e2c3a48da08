import { type ReactNode, useMemo } from 'react'
import { exactValueOf, textOf } from './exact-value.ts'
import type { InvocationState } from './invocation.ts'
import { envelopeOf, type ResultTab, tableRowsOf } from './pick-viewer.ts'
import { texts } from './texts.ts'
import { ContentViewer, MarkdownViewer } from './viewers/content-viewer.tsx'
import { LogsViewer } from './viewers/logs-viewer.tsx'
import { QuestionsViewer } from './viewers/questions-viewer.tsx'
import { TableViewer } from './viewers/table-viewer.tsx'
import { TextViewer } from './viewers/text-viewer.tsx'
import { TreeViewer } from './viewers/tree-viewer.tsx'

interface ResultViewProps {
  readonly invocation: InvocationState
  readonly tab: ResultTab
  readonly fileName: string
  /** The question that waits, with the ways to answer it. */
  readonly question?: ReactNode
}

/** The body of one tab of the result. */
export function ResultView({ invocation, tab, fileName, question }: ResultViewProps) {
  const { ending, inputText, logs, questions } = invocation
  const value = useMemo(() => ending && exactValueOf(ending), [ending])
  if (tab === 'questions') return <QuestionsViewer questions={questions}>{question}</QuestionsViewer>
  if (tab === 'logs') return <LogsViewer logs={logs} isRunning={!ending} />
  if (tab === 'sent')
    return <TextViewer text={inputText} label="The input that was sent" fileName="input.json" />
  if (!ending) return null
  const text = typeof ending.structuredContent === 'string' ? ending.structuredContent : textOf(ending)
  switch (tab) {
    case 'tree':
      return <TreeViewer value={value} issues={ending.validation.issues} />
    case 'table':
      return <TableViewer rows={tableRowsOf(value) ?? []} fileName={fileName.replace(/\.\w+$/, '')} />
    case 'content':
      return <ContentViewer content={ending.content} />
    case 'markdown':
      return <MarkdownViewer text={text} />
    case 'text':
      return <TextViewer text={text} label="Result as text" fileName={fileName} />
    case 'raw':
      return <TextViewer text={ending.raw ?? ''} label="Raw result" fileName={fileName} />
    case 'envelope':
      return <TextViewer text={envelopeOf(ending)} label={texts.envelope} fileName={fileName} />
  }
}
