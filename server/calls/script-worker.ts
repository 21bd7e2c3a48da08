/** The worker thread that runs a script. It may hang or crash; script-runner.ts ends it. */
import { parentPort, workerData } from 'node:worker_threads'
import { Bash, initBashkit } from '@everruns/bashkit-wasm'
import type { ToSandbox } from '../../core/script/protocol.ts'
import { createSandboxRun } from '../../core/script/sandbox-run.ts'

const port = parentPort
if (port === null) throw new Error('script-worker.js runs only as a worker thread')

const handle = createSandboxRun(
  options => new Bash(options),
  message => port.postMessage(message),
)
const { engine } = workerData as { readonly engine: object }
await initBashkit(engine)
port.on('message', (message: ToSandbox) => handle(message))
port.postMessage({ type: 'ready' })
