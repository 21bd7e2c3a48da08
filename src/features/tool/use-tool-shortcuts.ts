import { useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { useShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'

interface ToolActions {
  readonly running: boolean
  readonly callable: boolean
  readonly tryCall: () => void
  readonly cancel: () => void
  readonly fillExample: () => void
  readonly reset: () => void
  readonly hasVersions: boolean
  /** Absent where examples cannot be kept. */
  readonly saveExample: (() => void) | undefined
}

/** Offers the tool pane's actions to the keys and the palette while it is shown. */
export function useToolShortcuts(actions: ToolActions): void {
  const { tab } = useWorkbenchSearch()
  const go = useWorkbenchNavigate()
  useShortcut('call', actions.tryCall, actions.callable)
  useShortcut('cancel', actions.cancel, actions.running)
  useShortcut('toggle-json', () => go({ tab: tab === 'json' ? undefined : 'json' }))
  useShortcut('show-schema', () => go({ tab: 'schema' }))
  useShortcut('show-versions', () => go({ tab: 'versions' }), actions.hasVersions)
  useShortcut('show-help', () => go({ tab: 'help' }))
  useShortcut('fill-example', actions.fillExample)
  useShortcut('reset', actions.reset)
  useShortcut('save-example', () => actions.saveExample?.(), actions.saveExample !== undefined)
}
