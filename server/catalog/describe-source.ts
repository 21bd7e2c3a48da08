/** The state of a source that the page shows, out of what its connection knows. */
import { type CallSettings, pickCallSettings } from '../../core/api/call-settings.ts'
import { isAddressable } from '../../core/api/source-entry.ts'
import type { SourceState } from '../../core/api/sources.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { SecretHider, type Text } from '../../core/prompt/connect-variables.ts'
import type { Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import { getAppUri, isForAppsOnly } from '../../core/tool/tool-app.ts'
import type { Session, SourceSpec } from '../sources/source.ts'

interface KnownSource extends Pick<SourceState, 'name' | 'status'> {
  readonly spec: SourceSpec
  readonly settings: SourceSpec['settings']
  readonly session: Session | undefined
  /** The directory that the user chose on the page. Absolute. */
  readonly chosenDirectory: string | undefined
  readonly manifest: Manifest | undefined
  readonly read: Pick<SourceState, 'error' | 'refreshedAt' | 'durationMs'>
  /** How many of its tools the catalog shows and hides. */
  readonly tools: { readonly shown: number; readonly hidden: number }
}

export function describeSource(source: KnownSource): SourceState {
  const { name, spec, settings, session, manifest, status, read, tools } = source
  return {
    name,
    kind: session?.kind ?? spec.kind,
    label: session?.label ?? spec.label,
    ...describeArgument(spec, source.chosenDirectory),
    ...toOriginState(spec),
    status,
    toolCount: tools.shown,
    ...describeCallSettings(settings),
    ...(tools.hidden === 0 ? {} : { hiddenTools: tools.hidden }),
    callable: session?.call !== undefined,
    problems: [...nameProblems(spec, name), ...(manifest?.problems ?? session?.problems ?? [])],
    ...(manifest === undefined ? {} : { format: manifest.format }),
    ...(manifest?.callingConvention === undefined ? {} : { callingConvention: manifest.callingConvention }),
    ...(manifest?.instructions === undefined ? {} : { instructions: manifest.instructions }),
    ...withoutUndefined({ capabilities: manifest?.capabilities, icons: manifest?.icons }),
    ...(manifest === undefined ? {} : surfaceCounts(manifest)),
    ...(manifest !== undefined && hasApps(manifest) && { hasApps: true as const }),
    ...read,
    ...withoutUndefined({ directory: session?.directory, trusted: spec.isTrusted?.() }),
    ...session?.about?.(),
    ...(session?.log === undefined ? {} : { hasLog: true }),
  }
}

/** Returns how a command line names the source. The value of each header becomes a variable, because it may be secret. */
function describeArgument(
  { argument, argumentOptions = {} }: SourceSpec,
  chosenDirectory: string | undefined,
): Pick<SourceState, 'argument' | 'argumentOptions'> {
  if (argument === undefined) return {}
  const { headers = {}, directory = undefined } = argumentOptions
  const texts = new SecretHider(Object.values(headers)).headers(headers)
  const options = withoutUndefined({
    headers:
      texts.length === 0
        ? undefined
        : Object.fromEntries(texts.map(([name, text]) => [name, writeText(text)])),
    directory: chosenDirectory ?? directory,
  })
  return { argument, ...(Object.keys(options).length === 0 ? {} : { argumentOptions: options }) }
}

const writeText = (text: Text) =>
  text.map(part => (typeof part === 'string' ? part : `\${${part.name}}`)).join('')

function surfaceCounts({ prompts, resources, resourceTemplates, skills = [] }: Manifest) {
  const counts = {
    prompts: prompts?.length ?? 0,
    resources: resources?.length ?? 0,
    templates: resourceTemplates?.length ?? 0,
    ...(skills.length === 0 ? {} : { skills: skills.length }),
  }
  return Object.values(counts).some(count => count > 0) ? { surface: counts } : {}
}

/** A state is described often, and a list can have 100,000 tools. */
const appsByManifest = new WeakMap<Manifest, boolean>()

function hasApps(manifest: Manifest): boolean {
  const known = appsByManifest.get(manifest)
  if (known !== undefined) return known
  const found = manifest.tools.some(tool => getAppUri(tool) !== undefined || isForAppsOnly(tool))
  appsByManifest.set(manifest, found)
  return found
}

function describeCallSettings(settings: CallSettings): Pick<SourceState, 'callSettings'> {
  const callSettings = pickCallSettings(settings)
  return Object.keys(callSettings).length === 0 ? {} : { callSettings }
}

function toOriginState({ origin }: SourceSpec): Pick<SourceState, 'origin' | 'formerNames'> {
  if (origin === undefined) return {}
  if (origin.from === 'file') return { origin }
  const { formerNames } = origin
  return { origin: { from: 'page' }, ...(formerNames.length === 0 ? {} : { formerNames }) }
}

/** Returns the problem of a source that has another name than it was given. */
function nameProblems({ settings }: SourceSpec, name: string): ManifestProblem[] {
  if (isAddressable(settings.name)) return []
  const given = JSON.stringify(settings.name)
  return [
    {
      message: `It is called "${name}" here, because an address, a reference or a database cannot contain its name ${given}.`,
      hint: 'Rename it.',
    },
  ]
}
