/** The files that an app asks to save: inside its message, or resources of the tool's server. */
import { isObject } from '../../../../core/json/json.ts'
import { formatBytes } from '../../../ui/format.ts'
import { decodeBase64, toResourceFileName } from '../viewers/media.ts'

/** Files of one request. */
const maxFiles = 20

export interface AppFile {
  readonly name: string
  /** Its name, and its size if the message contains it. */
  readonly line: string
  /** Returns its data. @throws Error if the resource has no data */
  readonly read: (
    readResource: (uri: string) => Promise<readonly unknown[]>,
  ) => Promise<string | Uint8Array<ArrayBuffer>>
}

/**
 * Describes the files without reading a resource.
 *
 * @param contents of `ui/download-file`: `resource` and `resource_link` blocks
 * @throws Error if there are more than 20 or none, or if the data of one cannot be decoded
 */
export function describeFiles(contents: readonly unknown[]): readonly AppFile[] {
  if (contents.length === 0 || contents.length > maxFiles)
    throw new Error(`An app can save 1 to ${maxFiles} files at once, not ${contents.length}.`)
  return contents.map(content => {
    if (isObject(content) && content.type === 'resource') {
      const resource = isObject(content.resource) ? content.resource : {}
      const name = toResourceFileName(String(resource.uri))
      const data = decode(resource)
      const size = typeof data === 'string' ? new Blob([data]).size : data.byteLength
      return { name, line: `${name} · ${formatBytes(size)}`, read: async () => data }
    }
    const uri = String(isObject(content) ? content.uri : '')
    const name = toResourceFileName(uri)
    return {
      name,
      line: `${name} · read from the server when you save it`,
      read: async readResource => decode((await readResource(uri))[0]),
    }
  })
}

function decode(resource: unknown): string | Uint8Array<ArrayBuffer> {
  const { text, blob } = isObject(resource) ? resource : {}
  const data = typeof text === 'string' ? text : decodeBase64(String(blob ?? ''))
  if (data === undefined) throw new Error('The data of the file cannot be decoded.')
  return data
}
