/**
 * Sandboxes in web workers. The engine is fetched when the console opens; one worker is started ahead of the next run.
 */
import engineUrl from '@everruns/bashkit-wasm/bashkit_wasm_bg.wasm?url'
import { limitMemory } from '../../../core/script/limit-memory.ts'
import { defaultScriptLimits, type FromSandbox, type Sandbox } from '../../../core/script/protocol.ts'
import type { ToWorker } from './script.worker.ts'
import ScriptWorker from './script.worker.ts?worker'

let fetched: Promise<Uint8Array<ArrayBuffer>> | undefined
let spare: Sandbox | undefined

function engine(): Promise<Uint8Array<ArrayBuffer>> {
  fetched ??= (async () => {
    const response = await fetch(engineUrl)
    if (!response.ok) throw new Error(`the server answered ${response.status} for the engine`)
    return limitMemory(new Uint8Array(await response.arrayBuffer()), defaultScriptLimits.memory)
  })()
  // A failure is not kept: the next attempt fetches again.
  fetched.catch(() => {
    fetched = undefined
  })
  return fetched
}

/** Fetches the engine and starts the worker of the next run. That run reports a failure. */
export async function prepareSandbox(): Promise<void> {
  spare ??= await startSandbox().catch(() => undefined)
}

/** Returns a sandbox for one run. Rejects if the engine cannot be fetched. */
export async function browserSandbox(): Promise<Sandbox> {
  const sandbox = spare ?? (await startSandbox())
  spare = undefined
  return sandbox
}

async function startSandbox(): Promise<Sandbox> {
  const bytes = await engine()
  const worker = new ScriptWorker()
  const early: FromSandbox[] = []
  let onMessage: (message: FromSandbox) => void = message => {
    early.push(message)
  }
  let onFailure: (reason: string) => void = reason => {
    early.push({ type: 'refused', message: reason })
  }
  worker.addEventListener('message', ({ data }: MessageEvent<FromSandbox>) => onMessage(data))
  worker.addEventListener('error', event => onFailure(event.message || 'the worker ended'))
  worker.postMessage({ type: 'engine', bytes } satisfies ToWorker)
  return {
    send: message => worker.postMessage(message),
    listen(listener, failureListener) {
      onMessage = listener
      onFailure = failureListener
      for (const message of early) listener(message)
    },
    end: () => worker.terminate(),
  }
}
