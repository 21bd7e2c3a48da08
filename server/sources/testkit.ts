/** For tests of sources: real programs, opened and called as the server does it. */
import { fileURLToPath } from 'node:url'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { Callable, ManifestTool } from '../../core/tool/tool.ts'
import { detectSource, type SourceArgument } from '../recognise/detect-source.ts'
import type { CallOptions, Session, SourceContext } from './source.ts'

export const resolveInRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const testContext: SourceContext = { directory: resolveInRepository('.'), environment: process.env }

export const neverAborted = () => new AbortController().signal

export async function openSource(argument: SourceArgument, context = testContext): Promise<Session> {
  return (await detectSource(argument, context)).open(context)
}

/** A program of the fixtures, with leading arguments. */
export function openFixture(name: string, ...words: string[]): Promise<Session> {
  return openSource([process.execPath, resolveInRepository(`server/sources/fixtures/${name}.mjs`), ...words])
}

export async function toolNamed(session: Session, name: string): Promise<ManifestTool> {
  const { tools } = await session.manifest(neverAborted())
  const tool = tools.find(each => each.name === name)
  if (tool === undefined)
    throw new Error(`no tool "${name}" among ${tools.map(each => each.name).join(', ')}`)
  return tool
}

export interface Collected {
  readonly events: readonly SessionEvent[]
  readonly ending: Extract<SessionEvent, { type: 'result' | 'failure' }>
  readonly stdout: string
  readonly stderr: string
}

/** Calls and waits; the input is JSON text where it is a string. */
export async function callAndWait(
  session: Session,
  tool: Callable,
  input: unknown,
  options: Partial<CallOptions> = {},
): Promise<Collected> {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const events: SessionEvent[] = []
  const run = session.call?.(
    tool,
    { text, value: parse(text) },
    { signal: neverAborted(), timeoutMs: 60_000, ...options },
  )
  if (run === undefined) throw new Error('this source cannot be called')
  for await (const event of run) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'result' && last?.type !== 'failure') throw new Error(`the last event is ${last?.type}`)
  const textOf = (type: 'stdout' | 'stderr') =>
    events.map(event => (event.type === type ? event.text : '')).join('')
  return { events, ending: last, stdout: textOf('stdout'), stderr: textOf('stderr') }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
