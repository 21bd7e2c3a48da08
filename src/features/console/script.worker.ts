/// <reference lib="webworker" />
/** The worker that a script runs in. Its file is served with rights of its own: it may compile the engine, and has no network. */
import { Bash, initBashkit } from '@everruns/bashkit-wasm'
import { createSandboxRun } from '../../../core/script/sandbox-run.ts'
import type { ToWorker } from './worker-protocol.ts'

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

// What breaks inside the engine breaks no promise: without this nobody would hear of it.
addEventListener('unhandledrejection', event => {
  postMessage({ type: 'refused', message: String(event.reason) })
})
