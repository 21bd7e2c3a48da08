/** Opens the pins of a program: chooses the lock file, and says which one is used if there are two. */
import { join, relative } from 'node:path'
import { lockName } from '../../core/manifest/version-files.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { findPin, type KnownSources } from '../pins/find-pin.ts'
import { type LockContents, readLock } from '../pins/lock-file.ts'
import { Pins } from '../pins/source-pins.ts'
import { fileStatus } from '../process/command-line.ts'
import { toSourceName } from '../recognise/source-name.ts'
import type { SourceSpec } from '../sources/source.ts'
import type { OpenConfig } from './open-config.ts'

interface PinnedProgram {
  readonly catalog: Catalog
  readonly config: Pick<OpenConfig, 'path' | 'directory' | 'pinPolicy' | 'specs'>
}

/**
 * The lock lies next to the configuration, or in the current folder without one. A lock of another folder above is never
 * used.
 */
export function openPins(
  program: PinnedProgram,
  { directory, say }: { readonly directory: string; say(line: string): void },
): Pins {
  const { config } = program
  const sources = findSources(program, directory)
  const other = join(directory, lockName)
  if (other !== sources.file && fileStatus(other) !== null)
    say(`${other} is not used: the configuration is ${config.path}, and its pins are in ${sources.file}.`)
  return new Pins({ ...sources, policy: config.pinPolicy, say })
}

function findSources({ catalog, config }: PinnedProgram, directory: string): KnownSources {
  const folder = config.path === null ? directory : config.directory
  const configured = new Set(config.specs.map(({ settings }) => toSourceName(settings.name)))
  return { catalog, file: join(folder, lockName), configured, typedIn: relative(folder, directory) }
}

/**
 * Returns a program or a file that was typed with the name of its pin. Its own one may come from its package: that would
 * choose by which names clients call its approved tools, and those of others.
 *
 * @param directory of the command line, absolute
 */
export function nameByPin(spec: SourceSpec, program: PinnedProgram, directory: string): SourceSpec {
  if (spec.url !== undefined || spec.origin !== undefined) return spec
  const known = findSources(program, directory)
  const source = { name: toSourceName(spec.settings.name), spec, manifest: undefined }
  const name = findPin(source, readPins(known.file), known)
  return name === undefined ? spec : { ...spec, settings: { ...spec.settings, name } }
}

/** A lock that cannot be read refuses every call, whatever the sources are called. */
function readPins(file: string): LockContents['pins'] {
  try {
    return readLock(file).pins
  } catch {
    return new Map()
  }
}
