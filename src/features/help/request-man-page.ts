import type { ManPage } from '../../../core/help/man-page.ts'
import type { ToolCommand } from '../../../core/help/tool-commands.ts'
import { createWorkerClient } from '../../api/worker-requests.ts'
import HelpWorker from './help.worker.ts?worker'

/** The man page of a tool; null where it takes more than 5 s. */
export const requestManPage = createWorkerClient<ToolCommand, ManPage | null>(
  async () => new HelpWorker(),
  5_000,
  null,
)
