import { useCommand } from '../../commands/handlers.ts'
import { useGo, usePlace } from '../../shell/place.ts'

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
export function useToolCommands(actions: ToolActions): void {
  const { tab } = usePlace()
  const go = useGo()
  useCommand('call', actions.tryCall, actions.callable)
  useCommand('cancel', actions.cancel, actions.running)
  useCommand('toggle-json', () => go({ tab: tab === 'json' ? undefined : 'json' }))
  useCommand('show-schema', () => go({ tab: 'schema' }))
  useCommand('show-versions', () => go({ tab: 'versions' }), actions.hasVersions)
  useCommand('show-help', () => go({ tab: 'help' }))
  useCommand('fill-example', actions.fillExample)
  useCommand('reset', actions.reset)
  useCommand('save-example', () => actions.saveExample?.(), actions.saveExample !== undefined)
}
