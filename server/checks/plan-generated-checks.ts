/** Plans generated checks: which tools may be called, and with which inputs. It calls nothing. */
import { setImmediate as setImmediatePromise } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { Validator as SecondValidator } from '@cfworker/json-schema'
import { confirmInputs } from '../../core/checks/confirm-inputs.ts'
import { type GeneratedInput, generateInputs } from '../../core/checks/generate-inputs.ts'
import {
  type Permission,
  type PlannedTool,
  type SkippedTool,
  withoutInputs,
} from '../../core/checks/generated-checks.ts'
import { loadCompat } from '../../core/compat/is-subschema.ts'
import { isObject, jsonText } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { dangerReason } from '../../core/tool/confirm-reason.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { loadMatchersFor } from '../../core/validation/safe-pattern.ts'
import { inSlices } from '../workers/run-slices.ts'
import { confirmReasons } from './check-examples.ts'

/** The calls that the user allows. */
export interface AllowedCalls {
  readonly permission: Permission
  /** Also calls tools with a rule or a program that asks before each call: the user agreed to these tools. */
  readonly consents: boolean
}

export interface ToolPlan {
  readonly tool: Tool
  readonly planned: PlannedTool
  readonly inputs: readonly PlannedCall[]
  /** For each branch that the inputs exercise, the valid input that takes it. */
  readonly branchInputs: readonly Pick<PlannedCall, 'input'>[]
}

export interface PlannedCall extends GeneratedInput {
  /** Why only our validator decided about it. */
  readonly note?: string
}

/** Returns undefined if the tool may be called. */
export function findRisk(tool: Tool, { permission, consents }: AllowedCalls): SkippedTool | undefined {
  const skip = (needs: SkippedTool['needs'], reason: string) => ({ ref: tool.ref, needs, reason })
  if (tool.kind !== undefined) return skip('nothing', 'only tools have a contract to check')
  if (!tool.callable) return skip('nothing', 'its source gives no way to call it')
  const danger = dangerReason(tool)
  if (danger !== undefined && danger !== 'hint' && !consents) return skip('consent', confirmReasons[danger])
  if (permission === 'all') return undefined
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {}
  if (destructiveHint === true) return skip('all', confirmReasons.hint)
  // MCP: a tool without the hint may reach other systems, and one that writes may destroy.
  if (openWorldHint !== false)
    return skip('all', 'it may reach other systems: it does not declare openWorldHint false')
  if (readOnlyHint === true) return undefined
  if (idempotentHint !== true || destructiveHint !== false)
    return skip('all', 'it does not declare that it only reads')
  return permission === 'idempotent'
    ? undefined
    : skip('idempotent', 'it writes; it declares that it destroys nothing and may be repeated')
}

export interface ToolPlanOptions {
  readonly seed: number
  readonly listsInputs: boolean
}

/** Never throws because of the tool. Other requests are answered meanwhile. */
export async function planTool(tool: Tool, { seed, listsInputs }: ToolPlanOptions): Promise<ToolPlan> {
  await setImmediatePromise()
  await loadCompat()
  await loadMatchersFor(jsonText(tool.inputSchema) ?? '')
  const generated = await inSlices(generateInputs(tool.inputSchema, { seed }))
  const confirmations = await inSlices(confirmInputs(tool.inputSchema, generated.inputs, createSecond))
  const inputs = generated.inputs.flatMap((input, index): PlannedCall[] => {
    const { isConfirmed, reason } = confirmations[index] ?? { isConfirmed: false }
    if (isConfirmed) return [input]
    return reason === undefined ? [] : [{ ...input, note: `Only one validator decided: ${reason}.` }]
  })
  const count = (kind: GeneratedInput['kind']) => inputs.filter(input => input.kind === kind).length
  return {
    tool,
    inputs,
    branchInputs: generated.branchInputs,
    planned: {
      ref: tool.ref,
      annotations: tool.annotations ?? {},
      valid: count('valid'),
      invalid: count('invalid'),
      unconfirmed: generated.inputs.length - inputs.length,
      coverage: withoutInputs(generated.coverage, generated, inputs),
      unknowns: generated.unknowns,
      ...(generated.problem !== undefined && { problem: generated.problem }),
      ...(listsInputs && {
        inputs: inputs.map(({ input, kind, constraint, field, why, note }) => ({
          inputText: writeJson(input, 0),
          kind,
          constraint,
          field,
          why,
          ...(note !== undefined && { note }),
        })),
      }),
    },
  }
}

/** Milliseconds for one validation by the second validator. */
const maxSecondMs = 1_000

/**
 * Makes the second validator (docs/decisions/067-second-validator.md). It matches patterns with the engine of JavaScript,
 * which may need longer than the age of the world for one text. So a validation of a schema with a pattern has a time
 * limit, and after the first one that exceeds it each validation throws.
 */
export function createSecond(schema: object, draft: '4' | '7' | '2019-09' | '2020-12') {
  const validator = new SecondValidator(schema, draft)
  const validate = (value: unknown) => validator.validate(value).valid
  if (!JSON.stringify(schema).includes('"pattern')) return validate
  let isSlow = false
  let current: unknown
  const context = createContext({ validate: () => validate(current) })
  return (value: unknown): boolean => {
    if (isSlow) throw new Error('a pattern takes too long')
    current = value
    try {
      return validateScript.runInContext(context, { timeout: maxSecondMs }) === true
    } catch (thrown) {
      isSlow = isObject(thrown) && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      throw isSlow ? new Error('a pattern takes too long') : thrown
    }
  }
}

const validateScript = new Script('validate()')
