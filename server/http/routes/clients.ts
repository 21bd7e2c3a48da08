/** Other clients: lists their files, opens one of their servers, and returns what gives a source to them. */
import { homedir } from 'node:os'
import { clientEndpoints } from '../../../core/api/clients.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { AppError } from '../../../core/errors.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { StoredSources } from '../../catalog/stored-sources.ts'
import { quoteWords } from '../../process/command-line.ts'
import { detectSource } from '../../recognise/detect-source.ts'
import { clientFiles, listClients } from '../../recognise/list-clients.ts'
import type { SourceContext } from '../../sources/source.ts'
import { serve } from '../serve-endpoints.ts'

export const clientRoutes = ({ sources }: Catalog, storedSources: StoredSources, context: SourceContext) => {
  const machine = { platform: process.platform, home: homedir(), environment: context.environment }
  const files = () => {
    const known = clientFiles(machine, context.callerDirectory ?? context.directory)
    const added = storedSources.files().filter(path => known.every(file => file.path !== path))
    return [...added.map(path => ({ client: 'Added', path, scope: 'user' as const })), ...known]
  }
  return serve(clientEndpoints, {
    'GET /api/clients': () => ({
      files: listClients(files(), spec => sources.nameOf(spec)),
      looked: files().map(({ path }) => path),
    }),
    'GET /api/sources/{name}/connect': async ({ params: { name }, query }) => {
      const { connectSource } = await import('../../recognise/connect-entry.ts')
      const { spec } = sources.get(name)
      const { kind, label } = sources.stateOf(sources.get(name))
      return connectSource({ name, kind, label, spec }, query, {
        directory: storedSources.directory,
        machine,
      })
    },
    'POST /api/clients/open': async ({ body: { file, id, inputs = {} } }) => {
      const known = files().find(({ path }) => path === file)
      if (known === undefined)
        throw new AppError('request-invalid', `${file} is not the file of a client that Toolscope knows`)
      const words = [`${file}#${id}`]
      const spec = await detectSource(words, context)
      const name = sources.nameOf(spec)
      for (const [input, value] of Object.entries(inputs)) context.inputValues?.set(file, input, value)
      // Other people can change a project's file, so its server must not start by itself at the next start.
      if (name === undefined && known.scope === 'project')
        return sources.openNamed({ ...spec, origin: { from: 'file', file } })
      // Stores only where the file is, not its contents.
      if (name === undefined) return storedSources.add({ entry: { line: quoteWords(words) } })
      const state = opened(await sources.restart(name))
      await storedSources.keep(name)
      return state
    },
  })
}

/** Throws the reason if the source could not be opened. */
function opened(state: SourceState): SourceState {
  const { status, error } = state
  if (status === 'failed' && error !== undefined) throw new AppError(error.code, error.detail, error)
  return state
}
