/** The part of the API that an app may use: tools of its own source that are for apps, and resources of that source. */
import type { ToolDetail } from '../../../../core/api/catalog.ts'
import { confirmReason, confirmText } from '../../../../core/tool/confirm-reason.ts'
import type { EndedEvent } from '../../../../core/tool/invocation.ts'
import { getToolCallers } from '../../../../core/tool/tool-app.ts'
import type { Backend } from '../../../api/backend.ts'

export interface AppBackend {
  /** Rejects if the source has no such tool for apps. */
  findTool(name: string): Promise<ToolDetail>
  /** Returns why the user must be asked before a call; undefined without a reason. */
  whyConfirm(tool: ToolDetail, input: unknown): string | undefined
  call(tool: ToolDetail, input: unknown, signal: AbortSignal): Promise<EndedEvent>
  readResource(uri: string, signal: AbortSignal): Promise<readonly unknown[]>
}

/** @param owner the tool whose app it is */
export function createAppBackend(backend: Backend, owner: ToolDetail): AppBackend {
  return {
    async findTool(name) {
      const missing = () =>
        new Error(`${owner.source} has no tool ${name.slice(0, 200)} that its app may call.`)
      const params = { ref: `${owner.source}/${name}` }
      const tool = await backend.request('GET /api/tools/{+ref}', { params }).catch(() => {
        throw missing()
      })
      const isOwn = tool.source === owner.source && tool.name === name && tool.kind === undefined
      if (!isOwn || !getToolCallers(tool).includes('app')) throw missing()
      return tool
    },
    whyConfirm: (tool, input) => (confirmReason(tool) === undefined ? undefined : confirmText(tool, input)),
    async call({ ref, definition }, input, signal) {
      const options = { origin: 'app' as const, definition }
      const body = { ref, inputText: JSON.stringify(input), options }
      for await (const event of backend.requestLines('POST /api/invocations', { body, signal }))
        if (event.type === 'result' || event.type === 'failure') return event
      throw new Error('The call ended without a result.')
    },
    async readResource(uri, signal) {
      const body = { ref: owner.ref, uri }
      return (await backend.request('POST /api/apps/resources', { body, signal })).contents
    },
  }
}
