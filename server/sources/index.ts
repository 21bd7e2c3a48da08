/** The kinds of source, in the order in which a bare argument is tried, and how an argument becomes a source. */
import { resolve } from 'node:path'
import parseArgv from 'string-argv'
import { AppError } from '../../core/errors.ts'
import { baseName, fileStatus, programName, quoteWords } from '../command-line.ts'
import { functionsDirectory } from './functions-directory/functions-directory.ts'
import { llmsProgram } from './llms-program/llms-program.ts'
import { manifestFile } from './manifest-file.ts'
import type { Session, SourceContext, SourceSettings } from './source.ts'

const kinds = [functionsDirectory, manifestFile, llmsProgram] as const

/** A source that is known but not yet opened. */
export interface SourceSpec {
  readonly settings: SourceSettings
  readonly kind: string
  /** What the user named, for people, before it is opened. */
  readonly label: string
  open(context: SourceContext): Promise<Session>
}

/** One thing a user named: text as typed, or words that are taken as they are. */
export type SourceArgument = string | readonly string[]

/**
 * Finds out what an argument names. Nothing is started; at most a file's head is read.
 * Throws AppError `source-not-found` or `source-unrecognised`, which say where we looked.
 */
export async function detectSource(argument: SourceArgument, context: SourceContext): Promise<SourceSpec> {
  const words = toWords(argument, context.directory)
  for (const kind of kinds) {
    const config = await kind.detect(words, context)
    if (config === null) continue
    const isFile = kind.kind !== 'llms-program'
    const name = isFile ? baseName(resolve(context.directory, words[0] ?? '')) : programName(words)
    return specOf(kind, config, { name }, quoteWords(words))
  }
  const [first = ''] = words
  const path = resolve(context.directory, first)
  const status = fileStatus(path)
  if (status?.isDirectory())
    throw new AppError('source-unrecognised', `${path} is a directory without anything that we can read`)
  throw new AppError('source-not-found', `${first} (looked for the file ${path} and for a program on PATH)`)
}

/** A spec from an entry of toolscope.json, whose shape config.ts has checked. */
export function configuredSource(
  entry: {
    command?: readonly string[] | undefined
    manifest?: string | undefined
    functions?: string | undefined
  },
  settings: SourceSettings,
  more: Omit<Parameters<typeof llmsProgram.open>[0], 'command'>,
): SourceSpec {
  if (entry.manifest !== undefined)
    return specOf(manifestFile, { manifest: entry.manifest }, settings, entry.manifest)
  if (entry.functions !== undefined)
    return specOf(functionsDirectory, { functions: entry.functions }, settings, entry.functions)
  const command = entry.command ?? []
  return specOf(llmsProgram, { command, ...more }, settings, quoteWords(command))
}

function toWords(argument: SourceArgument, directory: string): readonly string[] {
  if (typeof argument !== 'string') return argument
  // A path may hold spaces; only what is no file is taken for several words.
  return fileStatus(resolve(directory, argument)) !== null ? [argument] : parseArgv(argument)
}

function specOf<Config>(
  kind: {
    kind: string
    open(config: Config, settings: SourceSettings, context: SourceContext): Promise<Session>
  },
  config: Config,
  settings: SourceSettings,
  label: string,
): SourceSpec {
  return { settings, kind: kind.kind, label, open: context => kind.open(config, settings, context) }
}
