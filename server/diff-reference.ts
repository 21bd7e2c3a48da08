/** A reference to a manifest: a source by name, a manifest file, a file in git (`git:REV:path`), a program, a URL. */
import type { DiffAnswer } from '../core/api.ts'
import { AppError } from '../core/errors.ts'
import { parseManifestText } from '../core/manifest/parse-manifest-text.ts'
import type { Manifest } from '../core/tool.ts'
import type { Catalog } from './catalog.ts'
import { runToEnd } from './process.ts'
import { detectSource, type SourceSpec } from './sources/index.ts'
import type { SourceContext } from './sources/source.ts'

export type Referred = DiffAnswer['a']

export interface ReferenceOptions {
  readonly context: SourceContext
  readonly signal: AbortSignal
  /** Sources that are known by name but not open: those of toolscope.json, whose paths start from its directory. */
  readonly configured?: { readonly specs: readonly SourceSpec[]; readonly directory: string }
  /** Sources that are open. */
  readonly catalog?: Catalog
  /** May naming a program start it, or naming a server contact it? On the command line, yes; a link that somebody else made must not. */
  readonly mayStart: boolean
}

/** Kinds whose list is read from files, without starting anything. */
const readOnlyKinds: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory'])

const GIT_TIMEOUT_MS = 20_000
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads what a reference names. Throws AppError `source-not-found`, `source-failed`, `manifest-…` as sources do,
 * and `request-invalid` where a program would have to be started and may not.
 */
export async function readReference(reference: string, options: ReferenceOptions): Promise<Referred> {
  const open = options.catalog && openSource(reference, options.catalog)
  if (open) return open
  if (reference.startsWith('git:')) return fromGit(reference, options)
  const known = options.configured?.specs.find(one => one.settings.name === reference)
  const context = { ...options.context, ...(known ? { directory: options.configured?.directory ?? '' } : {}) }
  const source = known ?? (await detectSource(reference, options.context))
  const isFile = readOnlyKinds.has(source.kind)
  if (!options.mayStart && !isFile)
    throw new AppError('request-invalid', `"${reference}" is a program or server that is not open`, {
      hint: 'Open it as a source first, then compare it by its name.',
    })
  const session = await source.open(context)
  try {
    return referred(reference, await session.manifest(options.signal))
  } finally {
    await session.close()
  }
}

function openSource(name: string, catalog: Catalog): Referred | undefined {
  const state = catalog.sources().find(source => source.name === name)
  if (!state) return undefined
  if (state.status === 'failed' || state.status === 'opening')
    throw new AppError('source-failed', `${name}: ${state.error?.detail ?? 'it is still being opened'}`)
  const tools = catalog.tools.flatMap(({ ref, source, index, callable, ...tool }) =>
    source === name ? [{ at: index, tool }] : [],
  )
  return {
    label: name,
    source: name,
    side: {
      tools: tools.sort((a, b) => a.at - b.at).map(({ tool }) => tool),
      ...(state.instructions === undefined ? {} : { instructions: state.instructions }),
    },
  }
}

/** `git:HEAD~1:tools.json`; the path is the repository's, or begins with `./`. `git::tools.json` is what is staged. */
async function fromGit(reference: string, { context, signal }: ReferenceOptions): Promise<Referred> {
  const [, revision, path] = /^git:([^:]*):(.+)$/s.exec(reference) ?? []
  if (revision === undefined || path === undefined || revision.startsWith('-'))
    throw new AppError('source-not-found', `"${reference}" is not of the form git:REVISION:path`)
  // Plumbing: no filters, no pager, no external programs of the repository's choosing.
  const result = await runToEnd('git', ['cat-file', 'blob', `${revision}:${path}`], {
    directory: context.directory,
    environment: context.environment,
    signal,
    timeoutMs: GIT_TIMEOUT_MS,
    maxOutputBytes: MAX_BYTES,
  })
  if (result.end !== 'exit' || result.exitCode !== 0)
    throw new AppError('source-not-found', `git could not give ${reference}`, {
      output: result.spawnError?.message ?? result.stderr,
      hint: 'The path starts at the root of the repository, or with ./ for this directory.',
    })
  return referred(reference, parseManifestText(result.stdout))
}

function referred(label: string, { tools, instructions }: Manifest): Referred {
  return { label, side: { tools, ...(instructions === undefined ? {} : { instructions }) } }
}
