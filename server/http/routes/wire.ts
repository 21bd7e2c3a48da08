/** The messages of sources, and recordings of them. */
import { wireEndpoints } from '../../../core/api/wire.ts'
import { AppError } from '../../../core/errors.ts'
import { isObject, own, parseJson } from '../../../core/json/json.ts'
import { toRpc } from '../../../core/wire/wire-message.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { getWire } from '../../catalog/create-wire.ts'
import type { SourceConnection } from '../../catalog/source-connection.ts'
import type { Pins } from '../../pins/source-pins.ts'
import type { Recordings } from '../../wire/recordings.ts'
import { describeRefusal } from '../gate.ts'
import { serve } from '../serve-endpoints.ts'

/** Throws AppError `not-approved` if a message calls what the source does not list: it cannot be as it was approved. */
function demandListed(text: string, { name, manifest }: Pick<SourceConnection, 'name' | 'manifest'>): void {
  const rpc = toRpc(parseJson(text))
  if (rpc?.kind !== 'request' && rpc?.kind !== 'notification') return
  const lists = new Map([
    ['tools/call', manifest?.tools],
    ['prompts/get', manifest?.prompts],
  ])
  if (!lists.has(rpc.method)) return
  const params = isObject(rpc.params) ? rpc.params : {}
  const wanted = own(params, 'name')
  // Some servers read `Name` as `name`, and take the last one (encoding/json of Go).
  const isAmbiguous = Object.keys(params).some(key => key !== 'name' && key.toLowerCase() === 'name')
  if (!isAmbiguous && lists.get(rpc.method)?.some(each => each.name === wanted)) return
  throw new AppError('not-approved', `${name}: its list does not have what the message calls`, {
    hint: 'A pinned source is sent only calls of what it lists.',
  })
}

export const wireRoutes = ({ sources }: Catalog, pins: Pins, recordings: Recordings) => {
  const find = (name: string) => getWire(sources.get(name))
  const read = async (name: string) => (await import('../../wire/wire-reader.ts')).openReader(find(name))
  const download = (context: { header(name: string, value: string): void }, name: string) => {
    context.header('Content-Type', 'application/jsonl; charset=utf-8')
    const file = `${name.replace(/[^\w.-]+/g, '-')}.toolrec`
    context.header('Content-Disposition', `attachment; filename="${file}"`)
  }
  return serve(wireEndpoints, {
    'GET /api/sources/{name}/wire': async ({ params, query, signal }) =>
      (await read(params.name)).page(query, signal),
    'GET /api/sources/{name}/wire/recording': async ({ params: { name }, query: { after = 0 }, context }) => {
      const reader = await read(name)
      download(context, name)
      return reader.recording(after)
    },
    'GET /api/sources/{name}/wire/{seq}': async ({ params }) => (await read(params.name)).detail(params.seq),
    'PATCH /api/sources/{name}/wire': ({ params, body: { paused } }) => {
      find(params.name).isPaused = paused
      return { isPaused: paused }
    },
    'DELETE /api/sources/{name}/wire': ({ params }) => ({ deleted: find(params.name).clear() }),
    'POST /api/sources/{name}/wire/send': async ({ params: { name }, body: { text }, context }) => {
      const { session } = sources.get(name)
      const person = context.get('person')
      const people = context.get('gate')?.people
      if (session?.send === undefined)
        throw new AppError('request-invalid', `"${name}" is not an open MCP server`, {
          hint: 'Start it first. A message of another kind of source is sent by calling its tool.',
        })
      // The message may be a call of any tool, prompt or resource.
      await pins.demandItems(name, () => true)
      if (pins.isChecked(name)) demandListed(text, sources.get(name))
      const after = find(name).lastSeq
      const right = 'sources'
      const sessionRefusal = describeRefusal({ key: 'POST /api/sources/{name}/wire/send', right }, context)
      const ended = person && people?.begin(person)
      if (person === undefined || ended === undefined) await session.send(text)
      else
        await session.send(text, { name: person.name, sessionRefusal, ended }).catch(thrown => {
          ended()
          throw thrown
        })
      return { after }
    },
    'GET /api/recordings': () => ({ recordings: recordings.list() }),
    'POST /api/recordings': ({ body: { sources: names, withPast } }) =>
      recordings.start(
        names.map(name => ({ name, wire: find(name) })),
        withPast,
      ),
    'POST /api/recordings/{id}/stop': ({ params }) => recordings.stop(params.id),
    'GET /api/recordings/{id}/file': ({ params: { id }, context }) => {
      const lines = recordings.lines(id)
      download(context, recordings.get(id).sources.join('-'))
      return lines
    },
    'DELETE /api/recordings/{id}': async ({ params }) => {
      await recordings.remove(params.id)
      return { deleted: 1 }
    },
  })
}
