/** Reads the facts that a functions directory reports about a tool. */
import type { FunctionExtra } from '../../../core/tool/function-extra.ts'

export interface FunctionFacts {
  /** The MCP server behind the tool. */
  readonly bridge?: string
  readonly declaredIn?: string
  readonly unbuilt: boolean
  readonly stale: readonly string[]
  readonly environment: NonNullable<FunctionExtra['environment']>
}

type Extra = { readonly [key: string]: unknown } | undefined

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 100) : [])

/** Returns undefined without facts. Other sources can use the same keys for anything, so each value is checked. */
export function functionFacts(extra: Extra): FunctionFacts | undefined {
  if (extra === undefined) return undefined
  const bridge = extra.throughBridge === true ? text(extra.mcp) : undefined
  const declaredIn = text(extra.declaredIn)
  const stale = list(extra.stale).filter(each => typeof each === 'string')
  const environment = list(extra.environment).flatMap(each => parseVariable(each))
  const unbuilt = extra.unbuilt === true
  if (!(bridge || unbuilt || stale.length > 0 || environment.length > 0)) return undefined
  return { unbuilt, stale, environment, ...(bridge && { bridge }), ...(declaredIn && { declaredIn }) }
}

function parseVariable(value: unknown): FunctionFacts['environment'] {
  if (typeof value !== 'object' || value === null) return []
  const { name, description, required, set } = value as { readonly [key: string]: unknown }
  if (typeof name !== 'string') return []
  const about = text(description)
  return [{ name, required: required === true, set: set === true, ...(about && { description: about }) }]
}
