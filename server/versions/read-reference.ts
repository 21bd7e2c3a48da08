/**
 * Reads a reference to a manifest: a source by name, a version of one (`acme@3`), a manifest file, a file in git
 * (`git:REV:path`), a program, a URL.
 */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DiffAnswer } from '../../core/api/versions.ts'
import type { DiffSide } from '../../core/diff/change.ts'
import { AppError } from '../../core/errors.ts'
import { parseManifestText, shortenName } from '../../core/manifest/read-manifest.ts'
import {
  formatReference,
  type ManifestReference,
  parseReference,
  type SnapshotReference,
} from '../../core/manifest/reference.ts'
import { snapshotManifest } from '../../core/manifest/snapshot.ts'
import type { Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { fetchManifest } from '../fetch/fetch-manifest.ts'
import { fileStatus, namesFile } from '../process/command-line.ts'
import { detectSource, formatArgument, withOptions } from '../recognise/detect-source.ts'
import { readMaskedManifest } from '../sources/masked.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import {
  fileInRepository,
  gitHistory,
  pathInside,
  type Repository,
  repositoryAt,
  runGit,
} from './git-repository.ts'
import type { KnownSnapshots } from './lazy-snapshots.ts'

/** A side of a comparison, and what of its list could not be read. A stored version has no problems. */
export type Referred = DiffAnswer['a'] & { readonly problems: readonly ManifestProblem[] }

/**
 * The scope of a reference. `all`: also a program that is started, or a server that is asked. `files`: only what is read
 * without that, because the reference may be a link from an attacker. `sources`: only the sources of the catalog, their
 * versions and the files that their lists are read from, because the asker may not open other ones.
 */
export type ReferenceScope = 'all' | 'files' | 'sources'

export interface ReferenceOptions {
  readonly context: SourceContext
  readonly signal: AbortSignal
  /** Sources that are known by name but not open: those of toolscope.json, whose paths start from its directory. */
  readonly configured?: { readonly specs: readonly SourceSpec[]; readonly directory: string }
  readonly catalog?: Catalog
  readonly versions?: KnownSnapshots
  readonly scope: ReferenceScope
}

/** Kinds whose list is read from files, without starting anything. */
const readOnlyKinds: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory', 'recording'])

const gitTimeoutMs = 20_000
const maxFileBytes = 256 * 1024 * 1024

/**
 * Reads the manifest of a reference. Throws AppError `source-not-found`, `source-failed`, `manifest-…` as sources do,
 * and `request-invalid` if a program must not be started but would have to be. In the scope `sources` it gives one
 * answer, `not-found`, for everything that is missing or not allowed, and quotes no file.
 */
export async function readReference(text: string, options: ReferenceOptions): Promise<Referred> {
  if (options.scope !== 'sources') return readParsed(parse(text, options), options)
  try {
    const reference = parse(text, options)
    if (!isOfSources(reference, options)) throw refused()
    return await readParsed(reference, options)
  } catch (thrown) {
    throw thrown instanceof AppError ? withoutDetails(thrown) : thrown
  }
}

function parse(text: string, { catalog, configured, ...options }: ReferenceOptions): ManifestReference {
  const open = catalog?.sources.list().map(source => source.name) ?? []
  const named = configured?.specs.map(spec => spec.settings.name) ?? []
  return parseReference(text, {
    isSource: name =>
      open.includes(name) || (named.includes(name) && !namesFile(name, options.context.directory)),
    isFile: path => {
      const full = resolve(options.context.directory, path)
      // Whether another file exists must not change the answer.
      return options.scope === 'sources' ? listOwnFiles(catalog).includes(full) : fileStatus(full) !== null
    },
  })
}

/** Whether a reference reads only what belongs to the sources. For a file in git, the reader of its repository decides. */
function isOfSources(reference: ManifestReference, { catalog }: ReferenceOptions): boolean {
  switch (reference.kind) {
    case 'source':
    case 'file':
    case 'git':
      return true
    case 'version':
      return catalog?.sources.list().some(({ name }) => name === reference.version.source) === true
    case 'address':
    case 'command':
      return false
  }
}

const refused = () =>
  new AppError('not-found', 'one of the two references names nothing that this server can compare', {
    hint: 'Name a source, a version of one (acme@3), or the file that a source is read from. Other files and addresses are refused here, because the sources of this server are fixed.',
  })

/** Keeps the state of a source and of the store, which the asker may read elsewhere. */
function withoutDetails(error: AppError): AppError {
  const { code } = error
  if (code === 'source-failed' || code.startsWith('store-')) return error
  return code.startsWith('manifest-') ? new AppError(code, 'the file is not a manifest') : refused()
}

function readParsed(reference: ManifestReference, options: ReferenceOptions): Promise<Referred> {
  switch (reference.kind) {
    case 'source':
      return readNamed(reference.text, options)
    case 'git':
      return readFromGit(reference, options)
    case 'version':
      return options.versions === undefined
        ? readDetected(reference, options)
        : readVersion(reference.version, options.versions, options.catalog)
    case 'file':
    case 'address':
    case 'command':
      return readDetected(reference, options)
  }
}

async function readNamed(name: string, options: ReferenceOptions): Promise<Referred> {
  const open = options.catalog && openSource(name, options.catalog)
  if (open) return open
  const named = options.configured?.specs.find(one => one.settings.name === name)
  if (named === undefined) throw new AppError('source-not-found', name)
  const spec = withOptions(named, options.context.options)
  const context = { ...options.context, directory: options.configured?.directory ?? '' }
  return readSource(name, demandReadable(name, spec, options), { ...options, context })
}

async function readDetected({ text, kind }: ManifestReference, options: ReferenceOptions): Promise<Referred> {
  const label = kind === 'file' ? text : formatArgument(text)
  const source = demandReadable(label, await detectSource(text, options.context), options)
  const plain = await fetchManifest(text, options.signal, options.context.options?.headers)
  return plain === null ? readSource(label, source, options) : referred(label, plain)
}

function demandReadable(label: string, source: SourceSpec, { scope }: ReferenceOptions): SourceSpec {
  if (scope === 'all' || readOnlyKinds.has(source.kind)) return source
  throw new AppError('request-invalid', `"${label}" is a program or server that is not open`, {
    hint: 'Open it as a source first, then compare it by its name.',
  })
}

/** Opens a source, reads its list and closes it. Throws AppError as the source does. */
export async function readSource(
  label: string,
  source: SourceSpec,
  { context, signal }: Pick<ReferenceOptions, 'context' | 'signal'>,
): Promise<Referred> {
  const session = await source.open(context)
  try {
    return referred(label, await readMaskedManifest(session, source.settings, signal))
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

async function readVersion(
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

/** Returns the absolute paths of the files that the lists of the open sources are read from. */
function listOwnFiles(catalog: Catalog | undefined): readonly string[] {
  const sources = catalog?.sources.list() ?? []
  return sources.flatMap(({ name }) => catalog?.sources.find(name)?.session?.manifestPath ?? [])
}

type GitReference = Extract<ManifestReference, { kind: 'git' }>

/** The path starts at the repository's root, or with `./` at the directory. */
async function readFromGit(reference: GitReference, options: ReferenceOptions): Promise<Referred> {
  const { context, signal, catalog, scope } = options
  const { text, revision, path } = reference
  const directory = realpathSync(context.directory)
  const here = repositoryAt(directory)
  // A full hash names the same commit everywhere: a source's history may be in another repository than ours.
  const elsewhere = isFullHash(revision) ? findRepositories(catalog) : []
  let problem = 'This directory is not in a git repository of yours.'
  for (const repository of [...(here ? [here] : []), ...elsewhere]) {
    const name = /^\.{1,2}\//.test(path) ? pathInside(repository, resolve(directory, path)) : path
    if (scope === 'sources' && !(await isOwnInGit(repository, { revision, name }, options))) continue
    // The hash of a folder would make the path start there.
    const commit = scope === 'sources' && revision !== ':0' ? `${revision}^{commit}` : revision
    const result = await runGit(repository, ['cat-file', 'blob', `${commit}:${name}`], {
      environment: context.environment,
      signal,
      timeoutMs: gitTimeoutMs,
      maxOutputBytes: maxFileBytes,
    })
    if (result.end === 'exit' && result.exitCode === 0)
      return referred(text, parseManifestText(result.stdout, text))
    problem = result.spawnError?.message ?? result.stderr
  }
  throw new AppError('source-not-found', `git could not give ${text}`, {
    output: problem,
    hint: 'The path starts at the root of the repository, or with ./ for this directory. A repository is asked only if it is yours and holds a .git folder.',
  })
}

const isFullHash = (revision: string) => /^[0-9a-f]{40,64}$/.test(revision)

function findRepositories(catalog: Catalog | undefined): readonly Repository[] {
  const found = listOwnFiles(catalog).flatMap(path => fileInRepository(path)?.repository ?? [])
  return [...new Map(found.map(repository => [repository.workTree, repository])).values()]
}

/** A commit by its name: a search for a commit (`HEAD^{/text}`) would answer what others wrote in messages. */
const plainRevision = /^(?::0|\w[\w./-]*(?:[~^]\d*)*)$/
/** The timeline of a file names its earlier paths too. */
const maxCommits = 2_000

/** Whether a file in git is the file of a source, under its name now or at that commit. */
async function isOwnInGit(
  repository: Repository,
  { revision, name }: { readonly revision: string; readonly name: string },
  { catalog, context: { environment }, signal }: ReferenceOptions,
): Promise<boolean> {
  if (!plainRevision.test(revision)) return false
  for (const path of listOwnFiles(catalog)) {
    const own = fileInRepository(path)
    if (own?.repository.workTree !== repository.workTree) continue
    if (own.name === name) return true
    if (!isFullHash(revision)) continue
    const history = await gitHistory(path, maxCommits, { environment, signal, timeoutMs: gitTimeoutMs })
    if (history.some(version => version.commit === revision && version.path === name)) return true
  }
  return false
}

/** Reads a manifest from its text, under the name of its file. Throws AppError `manifest-…`. */
export function readManifestFile(name: string, text: string): Referred {
  return referred(name, parseManifestText(text, name))
}

function referred(label: string, manifest: Manifest): Referred {
  return { label, side: toDiffSide(manifest), problems: manifest.problems }
}

/** Returns the part of a list that is compared, with what of its schemas could not be read. */
export function toDiffSide(manifest: Manifest): DiffSide {
  const { format: _format, callingConvention: _convention, ...side } = snapshotManifest(manifest)
  // A problem has the shortened name of its tool.
  const reasons = new Map(
    manifest.problems.flatMap(({ name, unreadInput }) =>
      unreadInput === undefined ? [] : [[name, unreadInput]],
    ),
  )
  const ofAll = manifest.problems.find(
    ({ index, name, unreadInput }) => index === undefined && name === undefined && unreadInput !== undefined,
  )
  const unreadInputs = side.tools.flatMap(({ name }) => {
    const reason = reasons.get(shortenName(name)) ?? ofAll?.unreadInput
    return reason === undefined ? [] : [[name, reason] as const]
  })
  return unreadInputs.length === 0 ? side : { ...side, unreadInputs }
}
