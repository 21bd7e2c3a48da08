/**
 * Replaces Monaco's `internal/common/workers.js`, which imports every feature of the editor. The JSON mode loads that
 * module only after the first editor has started its services, and late features do not find their services
 * (`UNKNOWN service ICodeLensCache`). The JSON mode needs only this function.
 */
import { editor } from 'monaco-editor/editor/editor.api.js'

interface WorkerOptions {
  readonly label?: string
  readonly createData?: unknown
  readonly host?: Record<string, (...values: unknown[]) => unknown>
  readonly keepIdleModels?: boolean
}

/** Creates a proxy of a language worker. The first message starts the worker, the second configures it. */
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
