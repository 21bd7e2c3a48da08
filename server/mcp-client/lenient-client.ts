/** The SDK's client without its validation: results are passed on unchanged, and Toolscope checks them. */
import { Client, type ClientOptions, type Root, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import type { serverEras } from '../../core/api/call-settings.ts'
import { tasksExtension } from '../../core/tool/task.ts'
import { appMimeType, appsExtension } from '../../core/tool/tool-app.ts'
import { version } from '../process/version.ts'

/** Accepts everything: the SDK would reject a slightly invalid result, and its payload would be lost. */
export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'toolscope', validate: value => ({ value }) },
}

/** The offer of a source to its server, and the era of both. */
export interface ClientOffer {
  readonly era: (typeof serverEras)[number]
  /** Whether the server may ask for an answer of a language model. */
  readonly sampling: boolean
  readonly roots: readonly Root[]
}

const modernRevision = '2026-07-28'
const modes = { auto: 'auto', legacy: 'legacy', modern: { pin: modernRevision } } as const

/** Whether a revision belongs to the modern era. Revisions are dates. */
export const isModern = (protocol: string) => protocol >= modernRevision

/** @param probeTimeoutMs milliseconds for the first request, which a server of the old era may not know */
export function createClient(
  onListChanged: (methods: readonly string[]) => void,
  probeTimeoutMs: number,
  { era, sampling }: ClientOffer,
): Client {
  // A debounce would wait as long as the server keeps sending; the source's connection limits the rate instead.
  const changed = (...methods: readonly string[]) => ({
    autoRefresh: false,
    debounceMs: 0,
    onChanged: () => onListChanged(methods),
  })
  const options: ClientOptions = {
    capabilities: {
      elicitation: { form: {}, url: {} },
      roots: {},
      ...(sampling && { sampling: {} }),
      // For servers of the legacy era, which fetch answers later (question-tasks.ts).
      tasks: {
        cancel: {},
        requests: { elicitation: { create: {} }, ...(sampling && { sampling: { createMessage: {} } }) },
      },
      extensions: { [tasksExtension]: {}, [appsExtension]: { mimeTypes: [appMimeType] } },
    },
    versionNegotiation: { mode: modes[era], probe: { timeoutMs: probeTimeoutMs } },
    listChanged: {
      tools: changed('tools/list'),
      prompts: changed('prompts/list'),
      // Skills are resources too (SEP-2640).
      resources: changed('resources/list', 'resources/templates/list', 'skills/list'),
    },
  }
  return new Client({ name: 'toolscope', version }, options)
}
