/// <reference lib="webworker" />
/** The worker that runs a script. The server sends its file with a policy that allows WebAssembly and no network. */
import { Bash, initBashkit } from '@everruns/bashkit-wasm'
import type { ToSandbox } from '../../../core/script/protocol.ts'
import { createSandboxRun } from '../../../core/script/sandbox-run.ts'

/** The first message contains the engine; the others are those of any sandbox. */
export type ToWorker = { readonly type: 'engine'; readonly bytes: Uint8Array<ArrayBuffer> } | ToSandbox

const handle = createSandboxRun(
  options => new Bash(options),
  message => postMessage(message),
)

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type !== 'engine') handle(data)
  else
    initBashkit(data.bytes).then(
      () => postMessage({ type: 'ready' }),
      (thrown: unknown) => postMessage({ type: 'refused', message: `the engine did not start: ${thrown}` }),
    )
})

// The page awaits no promise that an error inside the engine rejects, so report it here.
addEventListener('unhandledrejection', event => {
  postMessage({ type: 'refused', message: String(event.reason) })
})
