import { useMemo } from 'react'
import type { EndedEvent } from '../../../core/call/invocation.ts'
import { exactValueOf } from './exact-value.ts'
import type { InvocationState } from './invocation.ts'
import { type ResultTab, tableRowsOf, textOf } from './pick-viewer.ts'
import { ContentViewer, MarkdownViewer } from './viewers/content-viewer.tsx'
import { LogsViewer } from './viewers/logs-viewer.tsx'
import { TableViewer } from './viewers/table-viewer.tsx'
import { TextViewer } from './viewers/text-viewer.tsx'
import { TreeViewer } from './viewers/tree-viewer.tsx'

interface ResultViewProps {
  readonly invocation: InvocationState
  readonly tab: ResultTab
  readonly fileName: string
}

/** The body of one tab of the result. */
export function ResultView({ invocation, tab, fileName }: ResultViewProps) {
  if (tab === 'logs') return <LogsViewer logs={invocation.logs} />
  if (tab === 'sent')
    return <TextViewer text={invocation.inputText} label="The input that was sent" fileName="input.json" />
  return invocation.ending && <EndingView ending={invocation.ending} tab={tab} fileName={fileName} />
}

interface EndingViewProps {
  readonly ending: EndedEvent
  readonly tab: Exclude<ResultTab, 'logs' | 'sent'>
  readonly fileName: string
}

function EndingView({ ending, tab, fileName }: EndingViewProps) {
  const value = useMemo(() => exactValueOf(ending), [ending])
  const text = typeof ending.structuredContent === 'string' ? ending.structuredContent : textOf(ending)
  switch (tab) {
    case 'tree':
      return <TreeViewer value={value} issues={ending.validation.issues} />
    case 'table':
      return <TableViewer rows={tableRowsOf(value) ?? []} />
    case 'content':
      return <ContentViewer content={ending.content} />
    case 'markdown':
      return <MarkdownViewer text={text} />
    case 'text':
      return <TextViewer text={text} label="Result as text" fileName={fileName} />
    case 'raw':
      return <TextViewer text={ending.raw ?? ''} label="Result as it came" fileName={fileName} />
  }
}
