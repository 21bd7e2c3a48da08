/**
 * Reads a reference to a manifest: a source by name, a version of one (`acme@3`), a manifest file, a file in git
 * (`git:REV:path`), a program, a URL.
 */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DiffAnswer } from '../../core/api/versions.ts'
import { AppError } from '../../core/errors.ts'
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import {
  formatReference,
  parseSnapshotReference,
  type SnapshotReference,
} from '../../core/manifest/reference.ts'
import { snapshotManifest } from '../../core/manifest/snapshot.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { fetchManifest } from '../fetch/fetch-manifest.ts'
import { fileStatus } from '../process/command-line.ts'
import { detectSource } from '../recognise/detect-source.ts'
import { readManifest } from '../sources/masked.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import type { KnownSnapshots } from './find-snapshot.ts'
import { fileInRepository, pathInside, type Repository, repositoryAt, runGit } from './git-repository.ts'

export type Referred = DiffAnswer['a']

export interface ReferenceOptions {
  readonly context: SourceContext
  readonly signal: AbortSignal
  /** Sources that are known by name but not open: those of toolscope.json, whose paths start from its directory. */
  readonly configured?: { readonly specs: readonly SourceSpec[]; readonly directory: string }
  /** The open sources. */
  readonly catalog?: Catalog
  /** The kept versions. */
  readonly versions?: KnownSnapshots
  /**
   * Whether a named program may be started, or a named server contacted. True on the command line, false for a link.
   */
  readonly mayStart: boolean
}

/** Kinds whose list is read from files, without starting anything. */
const readOnlyKinds: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory'])

const gitTimeoutMs = 20_000
const maxFileBytes = 256 * 1024 * 1024

/**
 * Reads the manifest of a reference. Throws AppError `source-not-found`, `source-failed`, `manifest-…` as sources do,
 * and `request-invalid` if a program must not be started but would have to be.
 */
export async function readReference(reference: string, options: ReferenceOptions): Promise<Referred> {
  const open = options.catalog && openSource(reference, options.catalog)
  if (open) return open
  if (reference.startsWith('git:')) return fromGit(reference, options)
  const known = options.configured?.specs.find(one => one.settings.name === reference)
  const version = known || isFile(reference, options) ? null : parseSnapshotReference(reference)
  if (version && options.versions) return fromVersions(version, options.versions, options.catalog)
  const context = { ...options.context, ...(known ? { directory: options.configured?.directory ?? '' } : {}) }
  const source = known ?? (await detectSource(reference, options.context))
  if (!options.mayStart && !readOnlyKinds.has(source.kind))
    throw new AppError('request-invalid', `"${reference}" is a program or server that is not open`, {
      hint: 'Open it as a source first, then compare it by its name.',
    })
  const plain = known ? null : await fetchManifest(reference, options.signal)
  if (plain !== null) return referred(reference, plain)
  return readSource(reference, source, { ...options, context })
}

/** Opens a source, reads its list and closes it. Throws AppError as the source does. */
export async function readSource(
  label: string,
  source: SourceSpec,
  { context, signal }: Pick<ReferenceOptions, 'context' | 'signal'>,
): Promise<Referred> {
  const session = await source.open(context)
  try {
    return referred(label, await readManifest(session, source.settings, signal))
  } finally {
    await session.close()
  }
}

function openSource(name: string, catalog: Catalog): Referred | undefined {
  const state = catalog.sources.list().find(source => source.name === name)
  if (!state) return undefined
  const manifest = catalog.sources.find(name)?.manifest
  if (manifest === undefined) {
    if (state.status !== 'stopped')
      throw new AppError('source-failed', `${name}: ${state.error?.detail ?? 'it is still being opened'}`)
    throw new AppError('source-failed', `${name} is not open`, {
      hint: `Open it, or compare the last version that is kept: ${name}@latest`,
    })
  }
  const compared = referred(name, manifest)
  return { ...compared, source: name, refs: refsByName(name, catalog) }
}

/** A tool that is hidden because another source shows it has that source's ref. */
function refsByName(source: string, catalog: Catalog): Record<string, string> {
  return Object.fromEntries(
    catalog.tools
      .ofSource(source)
      .map(({ name, ref }) => [name, ref] as const)
      .reverse(),
  )
}

async function fromVersions(
  reference: SnapshotReference,
  versions: KnownSnapshots,
  catalog: Catalog | undefined,
): Promise<Referred> {
  const snapshot = await versions.find(reference)
  const manifest = await versions.store.manifestOf(snapshot)
  const label = [formatReference(snapshot), ...snapshot.labels].join(' ')
  // The current version can be called: the user can try an input that broke.
  const isOpen = versions.currentOf?.(snapshot.source)?.hash === snapshot.hash
  return {
    ...referred(label, { ...manifest, problems: [] }),
    ...(isOpen && catalog ? { source: snapshot.source, refs: refsByName(snapshot.source, catalog) } : {}),
  }
}

function findRepositories(catalog: Catalog | undefined): readonly Repository[] {
  const paths =
    catalog?.sources.list().flatMap(({ name }) => catalog.sources.find(name)?.session?.manifestPath ?? []) ??
    []
  const found = paths.flatMap(path => fileInRepository(path)?.repository ?? [])
  return [...new Map(found.map(repository => [repository.workTree, repository])).values()]
}

function isFile(reference: string, { context }: ReferenceOptions): boolean {
  try {
    return fileStatus(resolve(context.directory, reference)) !== null
  } catch {
    return false
  }
}

/**
 * Reads `git:HEAD~1:tools.json`; the path starts at the repository's root, or with `./` at the directory.
 * `git::tools.json` is the staged file.
 */
async function fromGit(reference: string, options: ReferenceOptions): Promise<Referred> {
  const { context, signal, catalog } = options
  const [, revision, path] = /^git:([^:]*):(.+)$/s.exec(reference) ?? []
  if (revision === undefined || path === undefined || revision.startsWith('-'))
    throw new AppError('source-not-found', `"${reference}" is not of the form git:REVISION:path`)
  const directory = realpathSync(context.directory)
  const here = repositoryAt(directory)
  // A full hash names the same commit everywhere: a source's history may be in another repository than ours.
  const elsewhere = /^[0-9a-f]{40,64}$/.test(revision) ? findRepositories(catalog) : []
  let problem = 'This directory is not in a git repository of yours.'
  for (const repository of [...(here ? [here] : []), ...elsewhere]) {
    const name = /^\.{1,2}\//.test(path) ? pathInside(repository, resolve(directory, path)) : path
    const result = await runGit(repository, ['cat-file', 'blob', `${revision}:${name}`], {
      environment: context.environment,
      signal,
      timeoutMs: gitTimeoutMs,
      maxOutputBytes: maxFileBytes,
    })
    if (result.end === 'exit' && result.exitCode === 0)
      return referred(reference, parseManifestText(result.stdout, reference))
    problem = result.spawnError?.message ?? result.stderr
  }
  throw new AppError('source-not-found', `git could not give ${reference}`, {
    output: problem,
    hint: 'The path starts at the root of the repository, or with ./ for this directory. A repository is asked only if it is yours and holds a .git folder.',
  })
}

/** Reads a manifest from its text, under the name of its file. Throws AppError `manifest-…`. */
export function readText(name: string, text: string): Referred {
  return referred(name, parseManifestText(text, name))
}

function referred(label: string, manifest: Manifest): Referred {
  const { format: _format, callingConvention: _convention, ...side } = snapshotManifest(manifest)
  return { label, side }
}
