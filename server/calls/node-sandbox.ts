/** A sandbox in a worker thread of Node: no environment variables, a small stack and heap, and it ends with the run. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { toErrorMessage } from '../../core/errors.ts'
import { limitMemory } from '../../core/script/limit-memory.ts'
import type { FromSandbox, Sandbox } from '../../core/script/protocol.ts'
import { workerFile } from '../workers/worker-file.ts'

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
export async function nodeSandbox(memory: number): Promise<Sandbox> {
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
