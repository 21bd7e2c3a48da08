/** Opens the pins of a program: chooses the lock file, and says which one is used if there are two. */
import { join, relative } from 'node:path'
import { lockName } from '../../core/manifest/version-files.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { Pins } from '../pins/source-pins.ts'
import { fileStatus } from '../process/command-line.ts'
import { toSourceName } from '../recognise/source-name.ts'
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
  { catalog, config }: PinnedProgram,
  { directory, say }: { readonly directory: string; say(line: string): void },
): Pins {
  const folder = config.path === null ? directory : config.directory
  const file = join(folder, lockName)
  const other = join(directory, lockName)
  if (other !== file && fileStatus(other) !== null)
    say(`${other} is not used: the configuration is ${config.path}, and its pins are in ${file}.`)
  const configured = new Set(config.specs.map(({ settings }) => toSourceName(settings.name)))
  const typedIn = relative(folder, directory)
  return new Pins({ catalog, file, policy: config.pinPolicy, say, configured, typedIn })
}
