/** Opens apps of tools: reads the HTML of an app from its server, and prepares its frame. */
import type { OpenedApp } from '../../core/api/apps.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject, own, type UnknownObject } from '../../core/json/json.ts'
import { buildAppPolicy } from '../../core/tool/app-policy.ts'
import { maskText } from '../../core/tool/mask.ts'
import { skillFolder } from '../../core/tool/skill.ts'
import {
  type AppPermission,
  appMimeType,
  appPermissionNames,
  appPermissions,
  getAppUri,
} from '../../core/tool/tool-app.ts'
import type { CallTarget, Catalog } from '../catalog/catalog.ts'
import type { Pins } from '../pins/source-pins.ts'
import { runWithSignals } from '../process/run-with-limit.ts'
import { version } from '../process/version.ts'
import { secretsOfSource } from '../sources/masked.ts'
import type { AppSandbox } from './app-sandbox.ts'

/** Bytes of the HTML of an app. */
const maxAppBytes = 8 * 1024 * 1024

interface OpenAppParts {
  readonly catalog: Catalog
  readonly pins: Pins
}

interface AppRequest {
  /** The headers of the request. */
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly signal: AbortSignal
}

/** Throws AppError `app-unavailable`, `request-invalid`, `tool-not-found` or `not-approved`. */
export async function openApp(
  { catalog, pins, sandbox }: OpenAppParts & { readonly sandbox: AppSandbox },
  { ref, permissions }: { readonly ref: string; readonly permissions: readonly AppPermission[] },
  { host, origin: pageOrigin, signal }: AppRequest,
): Promise<OpenedApp> {
  const origin = sandbox.originFor(host)
  if (origin === undefined) throw new AppError('app-unavailable', sandbox.describeAbsence())
  await pins.demand(catalog.tools.get(ref))
  const target = catalog.callTarget(ref)
  const uri = getAppUri(target.tool)
  if (uri === undefined) throw new AppError('request-invalid', `"${ref}" has no app`)
  await demandResource(catalog, pins, target, uri)
  const page = pageOrigin ?? `http://${host}`
  const app = await readApp({ catalog, pins }, target, uri, signal)
  const { policy, declared, prefersBorder } = describeApp(app.meta, sandbox.ownHosts)
  const granted = declared.filter(permission => permissions.includes(permission))
  const allow = granted.map(permission => appPermissions[permission]).join('; ')
  return {
    frameUrl: sandbox.addFrame({ html: app.html, policy: policy.header, allow }, origin, page),
    origin,
    uri,
    bytes: Buffer.byteLength(app.html),
    policy: policy.header,
    domains: policy.domains,
    refused: policy.refused,
    declared,
    granted,
    ...(prefersBorder !== undefined && { prefersBorder }),
    version,
  }
}

/** Returns the contents of a resource. Throws as `openApp`. */
export async function readAppResource(
  { catalog, pins }: OpenAppParts,
  ref: string,
  uri: string,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  await pins.demand(catalog.tools.get(ref))
  const target = catalog.callTarget(ref)
  await demandResource(catalog, pins, target, uri)
  return readContents(target, uri, signal)
}

/**
 * Throws AppError `not-approved` if a resource or a skill of this address is refused, or a template that may have it: the
 * app of an approved tool reads no other definition than the ones that were approved.
 */
function demandResource(catalog: Catalog, pins: Pins, { tool }: CallTarget, uri: string): Promise<void> {
  const { resources = [] } = catalog.sources.find(tool.source)?.manifest ?? {}
  const isListed = resources.some(resource => resource.uri === uri)
  return pins.demandItems(tool.source, ({ kind, name }) => {
    // In the same list as the resource: the tool may have changed since it was compared.
    if (kind === 'tool') return name === tool.name
    if (kind === 'resource') return name === uri
    if (kind === 'skill') return uri.startsWith(skillFolder(name) ?? name)
    return kind === 'template' && !isListed && uri.startsWith(name.split('{', 1)[0] ?? '')
  })
}

/**
 * Reads the contents of a resource from the server of a tool. Throws AppError `request-invalid` if the tool is not one
 * of an MCP server, `app-unavailable` if its server fails.
 */
async function readContents(
  { tool, session, closed, environment }: CallTarget,
  uri: string,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  if (session.readResource === undefined)
    throw new AppError('request-invalid', `"${tool.ref}" is not a tool of an MCP server`)
  const fail = (reason: string) => {
    const detail = maskText(reason.slice(0, 500), secretsOfSource(session, { environment }))
    return new AppError('app-unavailable', `${tool.source} sent no resource ${uri.slice(0, 300)}: ${detail}`)
  }
  const answer = await runWithSignals(
    [signal, closed],
    stop => session.readResource?.(uri, stop) ?? Promise.resolve(undefined),
  ).catch((thrown: unknown) => {
    throw fail(toErrorMessage(thrown))
  })
  const contents = isObject(answer) ? own(answer, 'contents') : undefined
  if (!Array.isArray(contents)) throw fail('its answer has no contents')
  return contents
}

/**
 * Reads the HTML of an app and its `_meta.ui`: of the answer, or of the list of resources if the answer has none. What was
 * approved is in the list: of a pinned source, the answer counts only if the list has none.
 */
async function readApp(
  { catalog, pins }: OpenAppParts,
  target: CallTarget,
  uri: string,
  signal: AbortSignal,
) {
  // As it was compared: the server may list another one before it answers.
  const listed = catalog.sources
    .find(target.tool.source)
    ?.manifest?.resources?.find(resource => resource.uri === uri)?.extra?._meta
  const contents = await readContents(target, uri, signal)
  const content: unknown = contents.find(each => isObject(each) && own(each, 'uri') === uri) ?? contents[0]
  const invalid = (detail: string) => new AppError('app-unavailable', `${uri}: ${detail}`)
  if (!isObject(content)) throw invalid('its server sent no content')
  const mimeType = own(content, 'mimeType')
  if (String(mimeType).toLowerCase().replace(/[\s"]/g, '') !== appMimeType)
    throw invalid(`its type is ${JSON.stringify(mimeType)?.slice(0, 100)}, not ${appMimeType}`)
  const [text, blob] = [own(content, 'text'), own(content, 'blob')]
  if (typeof text !== 'string' && typeof blob !== 'string') throw invalid('it has neither text nor blob')
  const bytes = typeof text === 'string' ? Buffer.byteLength(text) : Math.floor((String(blob).length * 3) / 4)
  if (bytes > maxAppBytes)
    throw invalid(
      `its HTML has ${(bytes / 1024 / 1024).toFixed(1)} MiB; an app may have ${maxAppBytes / 1024 / 1024} MiB`,
    )
  const [listedUi, answeredUi] = [readUi(listed), readUi(own(content, '_meta'))]
  return {
    html: typeof text === 'string' ? text : Buffer.from(String(blob), 'base64').toString('utf8'),
    meta: (pins.isChecked(target.tool.source) ? listedUi : undefined) ?? answeredUi ?? listedUi ?? {},
  }
}

function readUi(meta: unknown): UnknownObject | undefined {
  const ui = isObject(meta) ? own(meta, 'ui') : undefined
  return isObject(ui) ? ui : undefined
}

function describeApp(meta: UnknownObject, ownHosts: readonly string[]) {
  const permissions = own(meta, 'permissions')
  const border = own(meta, 'prefersBorder')
  const isDeclared = (permission: AppPermission) =>
    isObject(permissions) && isObject(own(permissions, permission))
  return {
    policy: buildAppPolicy(own(meta, 'csp'), ownHosts),
    declared: appPermissionNames.filter(isDeclared),
    prefersBorder: typeof border === 'boolean' ? border : undefined,
  }
}
