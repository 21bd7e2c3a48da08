/** Reads the entries of prompts/list, resources/list and resources/templates/list. */
import { isDeeperThan, isObject, jsonText, own, type UnknownObject, withoutUndefined } from '../json/json.ts'
import { shorten } from '../text/wording.ts'
import { readIcons } from '../tool/icons.ts'
import type {
  ManifestProblem,
  ManifestPrompt,
  ManifestResource,
  ManifestTemplate,
  PromptArgument,
  Surface,
} from '../tool/tool.ts'
import { describeValue, toTool, without } from './tool-entry.ts'

export type Report = (problem: ManifestProblem) => void

/** The reference of a resource contains its URI and is part of URLs. */
const maxUriCharacters = 2_000
const maxArguments = 500
/** The limit for the text of all capabilities. */
const maxCharacters = 256 * 1024
const maxLevels = 40

export type SurfaceListKey = 'prompts' | 'resources' | 'resourceTemplates' | 'skills'

/** One list of a server: the request for it, and the function that reads its entries. */
export interface SurfaceList<Key extends SurfaceListKey> {
  readonly key: Key
  readonly method: string
  /** Whether a server with these capabilities has the list. */
  readonly isDeclared: (capabilities: UnknownObject) => boolean
  /** A fault in one entry does not affect the others. */
  readonly read: (entries: readonly unknown[], report: Report) => NonNullable<Surface[Key]>
}

export const promptList: SurfaceList<'prompts'> = {
  key: 'prompts',
  method: 'prompts/list',
  isDeclared: ({ prompts }) => prompts !== undefined,
  read: (entries, report) =>
    readEntries(
      entries,
      'name',
      entryReport('prompt', report),
      (entry, text, reportEntry): ManifestPrompt => {
        const given = readArguments(own(entry, 'arguments'), reportEntry)
        return { ...text(['arguments']), ...(given.length === 0 ? {} : { arguments: given }) }
      },
    ),
}

export const resourceList: SurfaceList<'resources'> = {
  key: 'resources',
  method: 'resources/list',
  isDeclared: ({ resources }) => resources !== undefined,
  read: (entries, report) =>
    readEntries(
      entries,
      'uri',
      entryReport('resource', report),
      (entry, text, _report, uri): ManifestResource => ({
        uri,
        ...text(['uri', 'mimeType']),
        ...withoutUndefined({ mimeType: readTextField(entry, 'mimeType') }),
      }),
    ),
}

export const templateList: SurfaceList<'resourceTemplates'> = {
  key: 'resourceTemplates',
  method: 'resources/templates/list',
  isDeclared: ({ resources }) => resources !== undefined,
  read: (entries, report) =>
    readEntries(
      entries,
      'uriTemplate',
      entryReport('resource template', report),
      (entry, text, _report, uriTemplate): ManifestTemplate => ({
        uriTemplate,
        ...text(['uriTemplate', 'mimeType']),
        ...withoutUndefined({ mimeType: readTextField(entry, 'mimeType') }),
      }),
    ),
}

/** Returns a server's capabilities without `tools`, and its icons. */
export function readServerFacts(
  capabilities: unknown,
  icons: unknown,
  report: Report,
): Pick<Surface, 'capabilities' | 'icons'> {
  const declared = isObject(capabilities) ? without(capabilities, ['tools']) : {}
  const isTooLarge =
    isDeeperThan(declared, maxLevels) || (jsonText(declared)?.length ?? Infinity) > maxCharacters
  if (isTooLarge) report({ message: 'The capabilities of the server are too large to show.' })
  const read = readIcons(icons)
  return {
    ...(isTooLarge || Object.keys(declared).length === 0 ? {} : { capabilities: declared }),
    ...(read.length === 0 ? {} : { icons: read }),
  }
}

export type EntryReport = (index: number, name: string | undefined, problem: ManifestProblem) => void

/** Reports a problem without `index`, which is a position in the list of tools. */
export const entryReport =
  (noun: string, report: Report): EntryReport =>
  (index, name, { message, hint }) =>
    report({
      ...withoutUndefined({ name: name === undefined ? undefined : shorten(name, 200), hint }),
      message: `${noun[0]?.toUpperCase()}${noun.slice(1)} ${index}: ${message}`,
    })

/** Reads name, title, description, and the other members of the entry except these keys. */
type ReadText = (keys: readonly string[]) => Pick<ManifestPrompt, 'name' | 'title' | 'description' | 'extra'>

/** @param idKey the key that identifies an entry; its value replaces a missing name */
export function readEntries<Entry>(
  entries: readonly unknown[],
  idKey: 'name' | 'uri' | 'uriTemplate',
  report: EntryReport,
  build: (entry: UnknownObject, text: ReadText, report: (message: string) => void, id: string) => Entry,
): Entry[] {
  const firstOfId = new Map<string, number>()
  return entries.flatMap((entry, index) => {
    if (!isObject(entry)) {
      report(index, undefined, {
        message: `Expected an object, got ${describeValue(entry)}; it is left out.`,
      })
      return []
    }
    const id = readTextField(entry, idKey)
    if (id === undefined || id.trim() === '' || id.length > maxUriCharacters) {
      const found = id === undefined ? 'no' : id.trim() === '' ? 'a blank' : 'too long a'
      report(index, readTextField(entry, 'name'), { message: `It has ${found} ${idKey}; it is left out.` })
      return []
    }
    const name = own(entry, 'name') ?? id
    const reportEntry = (message: string) => report(index, id, { message })
    const read = toTool(
      {
        name: idKey === 'name' || (typeof name === 'string' && name.trim() !== '') ? name : id,
        title: own(entry, 'title'),
        description: own(entry, 'description'),
        inputSchema: true,
        extra: without(entry, ['name', 'title', 'description']),
      },
      ({ message }) => reportEntry(message),
    )
    if (read === null) return []
    const first = firstOfId.get(id)
    if (first === undefined) firstOfId.set(id, index)
    else reportEntry(`Entry ${first} has the same ${idKey}.`)
    const text: ReadText = keys => {
      const { inputSchema: _, extra = {}, ...rest } = read
      const remaining = without(extra, keys)
      return { ...rest, ...(Object.keys(remaining).length === 0 ? {} : { extra: remaining }) }
    }
    return [build(entry, text, reportEntry, id)]
  })
}

function readArguments(value: unknown, report: (message: string) => void): readonly PromptArgument[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    report(`Its arguments are no list but ${describeValue(value)}.`)
    return []
  }
  if (value.length > maxArguments)
    report(`It has ${value.length} arguments; the first ${maxArguments} are shown.`)
  return value.slice(0, maxArguments).flatMap((argument: unknown, at): PromptArgument[] => {
    const name = isObject(argument) ? readTextField(argument, 'name') : undefined
    if (!isObject(argument) || name === undefined || name === '') {
      report(`Argument ${at} has no name; it is left out.`)
      return []
    }
    const required = own(argument, 'required')
    return [
      {
        name,
        ...withoutUndefined({
          title: readTextField(argument, 'title'),
          description: readTextField(argument, 'description'),
        }),
        ...(typeof required === 'boolean' ? { required } : {}),
      },
    ]
  })
}

function readTextField(entry: UnknownObject, key: string): string | undefined {
  const value = own(entry, key)
  return typeof value === 'string' ? value : undefined
}
