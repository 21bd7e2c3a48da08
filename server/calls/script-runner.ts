/**
 * Runs scripts over the tools of a catalog. Inputs are checked by the server's validator; calls go through `Caller`.
 */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { toAppError, toErrorMessage } from '../../core/errors.ts'
import type { ToolCommands } from '../../core/prompt/tool-commands.ts'
import { callerSchema } from '../../core/schema/caller-schema.ts'
import { limitMemory } from '../../core/script/limit-memory.ts'
import {
  defaultScriptLimits,
  type FromSandbox,
  type Sandbox,
  type ScriptLimits,
} from '../../core/script/protocol.ts'
import { type RunningScript, runScript } from '../../core/script/run-script.ts'
import {
  createToolHost,
  describeConfirmRefusal,
  goneTool,
  type ScriptHost,
} from '../../core/script/script-tools.ts'
import type { ScriptEvent } from '../../core/script/trace.ts'
import type { Validator } from '../workers/validator.ts'
import { workerFile } from '../workers/worker-file.ts'
import type { Caller } from './call.ts'
import { parseInput } from './parse-input.ts'

interface CatalogScript {
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
      const request = {
        ref: tool.ref,
        input: parseInput(inputText),
        origin: 'script',
        options: { defaultTimeoutMs: callTimeoutMs, seen: tool },
        signal: abort.signal,
      } as const
      try {
        return { events: call(request), cancel: () => abort.abort() }
      } catch (thrown) {
        // Its suggestion is the name of another tool, which may not be approved; a model reads it.
        throw toAppError(thrown).code === 'tool-not-found' ? new Error(goneTool) : thrown
      }
    },
    refuses: tool => describeConfirmRefusal(tool, confirmed),
  }
}

/** A compiled module, which is only passed on. */
type EngineModule = object

// Node has WebAssembly, but the types of Node 20 do not declare it.
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> }
}

let compiled: Promise<EngineModule> | undefined

/** The engine with limited memory, compiled once for all runs of this process. */
function engine(memory: number): Promise<EngineModule> {
  compiled ??= (async () => {
    const path = createRequire(import.meta.url).resolve('@everruns/bashkit-wasm/bashkit_wasm_bg.wasm')
    return WebAssembly.compile(limitMemory(await readFile(path), memory))
  })()
  return compiled
}

/** Starts a worker thread for one run. Rejects if the engine cannot be read. */
async function nodeSandbox(memory: number): Promise<Sandbox> {
  const worker = new Worker(workerFile('script-worker'), {
    workerData: { engine: await engine(memory) },
    env: {},
    argv: [],
    execArgv: [],
    stdin: true,
    // Drops what the engine prints when it crashes.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
  })
  return {
    send: message => worker.postMessage(message),
    listen(onMessage, onDeath) {
      worker.on('message', (message: FromSandbox) => onMessage(message))
      worker.on('error', thrown => onDeath(toErrorMessage(thrown)))
      worker.on('exit', () => onDeath('its thread ended'))
    },
    end: () => void worker.terminate(),
  }
}
