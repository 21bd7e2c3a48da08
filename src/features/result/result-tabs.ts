import type { Tab } from '../../ui/tabs.tsx'
import type { InvocationState } from './invocation.ts'
import { countLines } from './logs.ts'
import { pickViews, type ViewId } from './pick-viewer.ts'

export type ResultTab = ViewId | 'logs' | 'sent'

const labels: Record<ResultTab, string> = {
  tree: 'Tree',
  table: 'Table',
  content: 'Content',
  markdown: 'Markdown',
  text: 'Text',
  raw: 'Raw',
  logs: 'Logs',
  sent: 'Sent',
}

/** The tabs that fit a call, the one to show first in front. */
export function resultTabs(invocation: InvocationState): Tab<ResultTab>[] {
  const views = invocation.ending ? pickViews(invocation.ending) : []
  const lines = countLines(invocation.logs)
  const ids: ResultTab[] = [...views, 'logs', 'sent']
  return ids.map(id => ({ id, label: labels[id], count: id === 'logs' && lines > 0 ? lines : undefined }))
}
