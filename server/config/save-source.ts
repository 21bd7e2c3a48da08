/** "Save to toolscope.json": writes a source from the page into the project's configuration. */
import { randomUUID } from 'node:crypto'
import {
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { applyEdits, modify } from 'jsonc-parser'
import { configEntry, type SavedEntry, type SourceEntry } from '../../core/api/source-entry.ts'
import type { ConfigChange } from '../../core/api/sources.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { isSecretName } from '../../core/tool/is-secret.ts'
import { maskWords, secretsOfAddress, secretValues } from '../../core/tool/mask.ts'
import type { ConfigWriter, SavedSource } from '../catalog/stored-sources.ts'
import { recogniseAddress } from '../recognise/address.ts'
import { serverOfFile, toWords } from '../recognise/detect-source.ts'
import type { SourceContext } from '../sources/source.ts'
import { type Config, loadConfig, parseConfig } from './config.ts'
import { Trust, type TrustContext } from './trust.ts'

/**
 * Returns the writer of the project's configuration. @param folder where toolscope.json is created if there is no
 * configuration
 */
export function configWriter(
  config: Pick<Config, 'path'> & { readonly trust: Trust },
  folder: string,
  context: TrustContext,
): ConfigWriter {
  const file = config.path ?? join(folder, 'toolscope.json')
  return {
    preview: source => configChange(file, source, context.environment),
    write(change, name) {
      writeConfigChange(change)
      const trust = config.path === null ? new Trust(file, context, false) : config.trust
      trust.apply(loadConfig(folder, file))
      trust.agreeTo(name)
    },
  }
}

/**
 * Returns the file with the source in it and its comments kept. Literal secrets become variables, with a note. Throws
 * AppError `request-invalid` if the source cannot be written there, `config-invalid` if the file is broken.
 */
function configChange(file: string, source: SavedSource, environment: NodeJS.ProcessEnv): ConfigChange {
  const before = readFile(file)
  const text = before ?? '{\n  "sources": {}\n}\n'
  const parsed = parseConfig(text, file)
  if (Object.hasOwn(parsed.sources, source.name))
    throw new AppError('request-invalid', `${file} has a source "${source.name}" already`, {
      hint: 'Rename this source first, or change the file.',
    })
  const { entry, notes } = toConfigEntry(source, dirname(file), environment)
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  const after = applyEdits(text, modify(text, ['sources', source.name], entry, { formattingOptions }))
  parseConfig(after, file)
  return { file, before, after, notes }
}

/**
 * Writes a change. Throws AppError `request-invalid` if the file differs from what was shown, `files-failed` if it
 * cannot be written.
 */
function writeConfigChange({ file, before, after }: ConfigChange): void {
  if (readFile(file) !== before)
    throw new AppError('request-invalid', `${file} has changed since it was shown`, {
      hint: 'Look at it again.',
    })
  // A link stays a link: dotfiles are often kept in another folder.
  const target = before === null ? followLink(file) : realpathSync(file)
  const temporary = `${target}.${randomUUID()}`
  try {
    const mode = before === null ? 0o644 : statSync(target).mode & 0o777
    writeFileSync(temporary, after, { mode, flag: 'wx' })
    renameSync(temporary, target)
  } catch (thrown) {
    rmSync(temporary, { force: true })
    throw new AppError('files-failed', `${file}: ${toErrorMessage(thrown)}`)
  }
}

/** Returns where a link leads whose file is missing; the file itself if it is not a link. */
function followLink(file: string): string {
  try {
    return resolve(dirname(file), readlinkSync(file))
  } catch {
    return file
  }
}

function toConfigEntry(
  { name, entry, kind, directory }: SavedSource,
  folder: string,
  environment: NodeJS.ProcessEnv,
): { readonly entry: SavedEntry; readonly notes: readonly string[] } {
  const notes: string[] = []
  const { line, url, headers, text, ...rest } = entry
  if (text !== undefined)
    throw new AppError('request-invalid', `"${name}" is a pasted manifest`, {
      hint: 'Save its text as a file in the project, and add that file.',
    })
  if (line !== undefined && serverOfFile(toWords(line, directory), directory) !== null)
    throw new AppError('request-invalid', `"${name}" comes from another client's file: ${line}`, {
      hint: 'Change it in that file. To have it in toolscope.json, add its command or its address.',
    })
  const origin = toOpenFields(entry, kind, { directory, environment })
  const toVariables = (values: Readonly<Record<string, string>> | undefined, always: boolean) =>
    values &&
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, replaceSecret(key, value, always, notes)]),
    )
  const moved = directory !== folder && !isAddress(origin)
  const saved = {
    ...withoutUndefined(rest),
    ...withoutUndefined({
      command: undefined,
      mcp: undefined,
      environment: toVariables(entry.environment, false),
      // Paths are relative to the file.
      directory: moved
        ? relative(folder, resolve(directory, entry.directory ?? '.')) || undefined
        : entry.directory,
    }),
    ...origin,
  }
  const { mcp } = saved
  if (mcp !== undefined && 'url' in mcp)
    saved.mcp = { ...mcp, ...withoutUndefined({ headers: toVariables(mcp.headers, true) }) }
  else if (mcp !== undefined)
    saved.mcp = { ...mcp, ...withoutUndefined({ env: toVariables(mcp.env, false) }) }
  if (moved)
    for (const path of ['manifest', 'functions', 'recording'] as const)
      if (saved[path] !== undefined) saved[path] = relative(folder, resolve(directory, saved[path])) || '.'
  refuseSecrets(saved, name)
  return { entry: configEntry.parse(saved), notes }
}

/** Returns the part of the entry that says how to open the source, by the kind that was detected. */
function toOpenFields(
  { line, url, headers, command, mcp, bridge, manifest, functions, recording }: SourceEntry,
  kind: string,
  context: Pick<SourceContext, 'directory' | 'environment'>,
): Partial<SavedEntry> {
  const written = line ?? url
  if (written === undefined) return withoutUndefined({ command, mcp, bridge, manifest, functions, recording })
  const words = toWords(written.trim(), context.directory)
  const [first = '', ...rest] = words
  const plain = first.replace(/^(?:mcp|llms|bridge):/, '')
  const address = rest.length === 0 ? recogniseAddress(plain, context) : undefined
  const typed = [plain, ...rest].filter(word => word !== '')
  switch (kind) {
    case 'functions-directory':
      return { functions: first }
    case 'recording':
      return { recording: first }
    case 'manifest-file':
      if (address !== undefined)
        throw new AppError('request-invalid', 'toolscope.json names no manifest at an address', {
          hint: 'Save the manifest as a file in the project, and add that file.',
        })
      return { manifest: first }
    case 'bridge-url':
      return withoutUndefined({ bridge: address })
    case 'mcp-server':
      return address === undefined
        ? { mcp: { command: typed } }
        : { mcp: { url: address, ...withoutUndefined({ headers }) } }
    case 'llms-program':
    case 'incur':
      return { command: typed }
    default:
      throw new AppError('request-invalid', 'Toolscope does not know the kind of this source yet', {
        hint: 'Open it first.',
      })
  }
}

const isAddress = ({ bridge, mcp }: Partial<SavedEntry>) =>
  bridge !== undefined || (mcp !== undefined && 'url' in mcp)

/**
 * Returns a reference to a variable in place of a literal secret. @param always regardless of the name, because all
 * headers are credentials
 */
function replaceSecret(name: string, value: string, always: boolean, notes: string[]): string {
  const isSecret = always || isSecretName(name) || secretValues({ [name]: value }).length > 0
  if (!isSecret || value.includes('${')) return value
  const variable = name.toUpperCase().replace(/\W+/g, '_')
  notes.push(`The value of ${name} is not written: set the variable ${variable} where Toolscope is started.`)
  return `\${env:${variable}}`
}

function refuseSecrets({ command, mcp, bridge }: Partial<SavedEntry>, name: string): void {
  const words = command ?? (mcp !== undefined && 'command' in mcp ? mcp.command : [])
  const address = bridge ?? (mcp !== undefined && 'url' in mcp ? mcp.url : '')
  if (maskWords(words).secrets.length === 0 && secretsOfAddress(address).length === 0) return
  throw new AppError('request-invalid', `the command or address of "${name}" holds a secret`, {
    hint: `Edit the source first: name a variable, \${env:NAME}.`,
  })
}

function readFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new AppError('config-invalid', `${file} could not be read: ${toErrorMessage(thrown)}`)
  }
}
