import type { CallSettings } from '../../core/api/call-settings.ts'
import type { SourceState } from '../../core/api/sources.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { useBackend } from './backend.ts'
import { useRefusal } from './use-refusal.ts'
import { useSourceChange } from './use-sources.ts'

/** How long a change of a source's settings holds, in a sentence. */
export function describeKeeping({ origin }: SourceState): string {
  if (origin?.from === 'page') return 'Stored with the source.'
  return origin === undefined
    ? 'Applies until Toolscope ends.'
    : 'Applies until Toolscope ends. To keep it, write it to toolscope.json.'
}

/** Whether tools of the source can report progress during a call. */
export const reportsProgress = ({ kind }: SourceState) => kind === 'mcp-server'

/** An undefined setting gets its default; an absent one stays as it is. */
export type CallSettingsChange = { readonly [Key in keyof CallSettings]?: CallSettings[Key] | undefined }

/** Changes settings for the calls of a source. It is opened again if its server must know of the change. */
export function useCallSettings(source: SourceState | undefined) {
  const backend = useBackend()
  const changing = useSourceChange((change: CallSettingsChange) => {
    if (source === undefined) throw new Error('the source is not listed')
    const body = withoutUndefined({ ...source.callSettings, ...change })
    return backend.request('PUT /api/sources/{name}/call-settings', { params: { name: source.name }, body })
  })
  return {
    changing,
    refused: useRefusal('PUT /api/sources/{name}/call-settings'),
    isOffered: source !== undefined && backend.has('PUT /api/sources/{name}/call-settings'),
  }
}
