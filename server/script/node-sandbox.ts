/** A sandbox in a worker thread of Node: no environment, a small stack and heap, ended with the run. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { limitMemory } from '../../core/script/limit-memory.ts'
import type { FromSandbox, Sandbox } from '../../core/script/protocol.ts'

/** A compiled module: only handed on. */
type EngineModule = object

// Node has it; the types of Node 20 do not name it.
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> }
}

let compiled: Promise<EngineModule> | undefined

/** The engine with its memory bounded; compiled once, and used by every run of this process. */
function engine(memory: number): Promise<EngineModule> {
  compiled ??= (async () => {
    const path = createRequire(import.meta.url).resolve('@everruns/bashkit-wasm/bashkit_wasm_bg.wasm')
    return WebAssembly.compile(limitMemory(await readFile(path), memory))
  })()
  return compiled
}

/** Starts a worker thread for one run. Rejects where the engine cannot be read. */
export async function nodeSandbox(memory: number): Promise<Sandbox> {
  const worker = new Worker(workerFile(), {
    workerData: { engine: await engine(memory) },
    env: {},
    argv: [],
    execArgv: [],
    stdin: true,
    // What the engine prints when it breaks is for nobody.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
  })
  return {
    send: message => worker.postMessage(message),
    listen(onMessage, onDeath) {
      worker.on('message', (message: FromSandbox) => onMessage(message))
      worker.on('error', thrown => onDeath(thrown instanceof Error ? thrown.message : String(thrown)))
      worker.on('exit', () => onDeath('its thread ended'))
    },
    end: () => void worker.terminate(),
  }
}

/** In the built program the worker lies beside the bundle; run from source (tests), in the build's output. */
function workerFile(): string {
  const beside = fileURLToPath(new URL('./script-worker.js', import.meta.url))
  const built = fileURLToPath(new URL('../../dist/server/script-worker.js', import.meta.url))
  return existsSync(beside) ? beside : built
}
