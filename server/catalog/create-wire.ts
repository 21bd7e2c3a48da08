/** Creates the wire of a source: its messages, with what masks and describes them. */
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { snapshotManifest } from '../../core/manifest/snapshot.ts'
import { lockText } from '../../core/manifest/version-files.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { secretsOfSource } from '../sources/masked.ts'
import type { SourceContext } from '../sources/source.ts'
import { SourceWire } from '../wire/source-wire.ts'
import type { SourceConnection } from './source-connection.ts'

type HashForWire = NonNullable<SourceContext['hashForWire']>

const wires = new WeakMap<WireSink, SourceWire>()

/**
 * Returns the context of a source whose messages are kept; the same context if its catalog keeps none.
 *
 * @param find returns the connection, which does not exist yet
 */
export function withWire(context: SourceContext, find: () => SourceConnection): SourceContext {
  if (context.hashForWire === undefined) return context
  const wire = createWire(find, context.hashForWire)
  return { ...context, wire: shareWire(wire) }
}

/** Returns the sink of a wire for the context of sources: `getWire` returns that wire for each of them. */
export function shareWire(wire: SourceWire): WireSink {
  wires.set(wire.sink, wire)
  return wire.sink
}

/** Returns the messages of a source. Throws AppError `request-invalid` if its catalog does not keep them. */
export function getWire({ context }: SourceConnection): SourceWire {
  const wire = context.wire && wires.get(context.wire)
  if (wire === undefined) throw new AppError('request-invalid', 'the messages of its sources are not kept')
  return wire
}

function createWire(find: () => SourceConnection, hash: HashForWire): SourceWire {
  const tools = new WeakMap<Manifest, ReadonlyMap<string, ManifestTool>>()
  const findTool = (manifest: Manifest, name: string) => {
    const byName = tools.get(manifest) ?? new Map(manifest.tools.map(tool => [tool.name, tool]))
    tools.set(manifest, byName)
    return byName.get(name)
  }
  return new SourceWire({
    secrets() {
      const { session, settings } = find()
      return secretsOfSource(session ?? {}, settings)
    },
    inputSchema(name) {
      const { manifest } = find()
      return manifest && findTool(manifest, name)?.inputSchema
    },
    describe: () => describe(find()),
    async manifest() {
      const { manifest, name } = find()
      if (manifest === undefined) return undefined
      const text = lockText(new Map([[name, snapshotManifest(manifest)]]))
      return { hash: (await hash(manifest)).hash, manifest: JSON.parse(text) }
    },
  })
}

function describe({ name, spec, session, manifest }: SourceConnection) {
  const kind = session?.kind ?? spec.kind
  const { protocol, serverInfo } = session?.about?.() ?? {}
  const { capabilities, instructions } = manifest ?? {}
  return {
    name,
    label: session?.label ?? spec.label,
    kind: toRecordedKind(kind, manifest?.format),
    transport: toTransport(kind, spec),
    ...withoutUndefined({ protocol, serverInfo, capabilities, instructions }),
  }
}

/** Returns the kind as recordings name it. */
function toRecordedKind(kind: string, format: string | undefined): string {
  if (kind === 'llms-program') return format === 'incur' ? 'incur' : 'llms'
  return kind === 'bridge-url' ? 'bridge' : kind.replace(/-directory$/, '')
}

function toTransport(kind: string, { url, server }: SourceConnection['spec']): 'stdio' | 'http' | 'run' {
  if (kind === 'bridge-url') return 'http'
  if (kind !== 'mcp-server') return 'run'
  return url !== undefined || (server !== undefined && 'url' in server.config) ? 'http' : 'stdio'
}
