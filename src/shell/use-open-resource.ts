import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { writeJson } from '../../core/json/json-text.ts'
import { readTemplate } from '../../core/tool/uri-template.ts'
import { useBackend } from '../api/backend.ts'
import { toolQuery } from '../api/queries.ts'
import { useSources } from '../api/use-sources.ts'
import { useWorkbenchNavigate } from '../navigation.ts'
import { showNotice } from '../ui/toasts.ts'
import { fillForm } from './open-call.ts'

/** Entries of a source that are looked through for a template. */
const maxEntries = 1_000

/**
 * Opens a resource of a source by its address: the one that its server lists, else the template that makes this address,
 * filled in. Nothing is read before the user asks for it. Undefined where the source has no resources.
 */
export function useOpenResource(source: string): ((uri: string) => void) | undefined {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  const { data: sources } = useSources()
  const surface = sources?.find(({ name }) => name === source)?.surface
  const openUri = useCallback(
    async (uri: string) => {
      const openTool = (tool: string) => go({ tool, tab: undefined, about: undefined })
      const listed = `${source}/resources/${uri}`
      const prefix = `${source}/templates/`
      const query = { source: [source], surface: '1' as const, limit: maxEntries }
      const { tools } = await backend.request('GET /api/tools', { query })
      if (tools.some(({ ref }) => ref === listed)) return openTool(listed)
      for (const { ref } of tools) {
        const values = ref.startsWith(prefix) ? readTemplate(ref.slice(prefix.length), uri) : undefined
        if (values === undefined) continue
        const template = await client.fetchQuery(toolQuery(backend, ref))
        const text = writeJson(values)
        fillForm(template, { text }, `The address of that link replaced your input in ${template.name}.`)
        return openTool(ref)
      }
      showNotice(`${source} lists no resource with the address ${uri.slice(0, 200)}`)
    },
    [backend, client, go, source],
  )
  if (!surface || surface.resources + surface.templates === 0) return undefined
  return uri =>
    void openUri(uri).catch(() => showNotice(`The resources of ${source} could not be listed. Try again.`))
}
