import type { ToolTab } from '../../navigation.ts'
import type { Tab } from '../../ui/tabs.tsx'

export const toolTabs: readonly Tab<ToolTab>[] = [
  { id: 'form', label: 'Form', testId: 'form-tab' },
  { id: 'json', label: 'JSON', testId: 'json-tab' },
  { id: 'schema', label: 'Schema' },
  { id: 'help', label: 'Help', testId: 'help-tab' },
  { id: 'versions', label: 'Versions', testId: 'versions-tab' },
  { id: 'examples', label: 'Examples' },
]

const reading: ReadonlySet<string> = new Set(['schema', 'help', 'versions'])

/** Those that need nothing but the tool's manifest. */
export const readingTabs = toolTabs.filter((tab): tab is Tab<Exclude<ToolTab, 'form'>> => reading.has(tab.id))
