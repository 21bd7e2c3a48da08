/**
 * Stands in for Monaco's `internal/common/workers.js`. That module imports every feature of the editor; as the JSON
 * mode asks for it only after the first editor has started its services, the late features find none of theirs
 * (`UNKNOWN service ICodeLensCache`). What the JSON mode needs of it is this one function.
 */
import { editor } from 'monaco-editor/editor/editor.api.js'

interface WorkerOptions {
  readonly label?: string
  readonly createData?: unknown
  readonly host?: Record<string, (...values: unknown[]) => unknown>
  readonly keepIdleModels?: boolean
}

/** A proxy of a language worker. The first message wakes it, the second tells it what it serves. */
export function createWebWorker<Served extends object>(
  options: WorkerOptions,
): editor.MonacoWebWorker<Served> {
  const { label = 'monaco-editor-worker', createData, host, keepIdleModels } = options
  const made = self.MonacoEnvironment?.getWorker?.('workerMain.js', label)
  if (made === undefined) throw new Error('MonacoEnvironment.getWorker is missing')
  const worker = Promise.resolve(made).then(ready => {
    ready.postMessage('ignore')
    ready.postMessage(createData)
    return ready
  })
  return editor.createWebWorker<Served>({
    worker,
    ...(host && { host }),
    ...(keepIdleModels !== undefined && { keepIdleModels }),
  })
}
