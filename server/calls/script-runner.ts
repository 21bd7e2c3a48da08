/**
 * Runs scripts over the tools of a catalog. Inputs are checked by the server's validator; calls go through `Caller`.
 */
import type { ToolCommands } from '../../core/prompt/tool-commands.ts'
import { callerSchema } from '../../core/schema/caller-schema.ts'
import { defaultScriptLimits, type ScriptLimits } from '../../core/script/protocol.ts'
import { type RunningScript, runScript } from '../../core/script/run-script.ts'
import { createToolHost, describeConfirmRefusal, type ScriptHost } from '../../core/script/script-tools.ts'
import type { ScriptEvent } from '../../core/script/trace.ts'
import type { Validator } from '../workers/validator.ts'
import type { Caller } from './call.ts'
import { nodeSandbox } from './node-sandbox.ts'
import { parseInput } from './parse-input.ts'

export interface CatalogScript {
  readonly script: string
  readonly names: ToolCommands
  readonly call: Caller
  readonly validator: Validator
  /** References of the tools that need confirmation and were confirmed. */
  readonly confirmed: ReadonlySet<string> | 'all'
  readonly limits?: Partial<ScriptLimits>
  /** Whether the script may use files of its own; true by default. */
  readonly files?: boolean
  /** Time limit of one call in milliseconds, if its source sets none. */
  readonly callTimeoutMs?: number
  readonly onEvent: (event: ScriptEvent) => void
}

/** Starts a script. Rejects if the engine cannot be loaded. */
export async function runCatalogScript(given: CatalogScript): Promise<RunningScript> {
  const limits = { ...defaultScriptLimits, ...given.limits }
  return runScript({
    script: given.script,
    world: catalogWorld(given),
    sandbox: await nodeSandbox(limits.memory),
    limits,
    ...(given.files === undefined ? {} : { files: given.files }),
    clock: {
      now: () => performance.now(),
      after(ms, act) {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    },
    onEvent: given.onEvent,
  })
}

function catalogWorld({ names, call, validator, confirmed, callTimeoutMs }: CatalogScript): ScriptHost {
  return {
    ...createToolHost(names),
    validate: (tool, inputText) =>
      validator.validate(callerSchema(tool.inputSchema), parseInput(inputText).value, tool.source),
    call(tool, inputText) {
      const abort = new AbortController()
      const events = call({
        ref: tool.ref,
        input: parseInput(inputText),
        origin: 'script',
        options: { defaultTimeoutMs: callTimeoutMs },
        signal: abort.signal,
      })
      return { events, cancel: () => abort.abort() }
    },
    refuses: tool => describeConfirmRefusal(tool, confirmed),
  }
}
