/** The server that serves this page, over the contract in core/api. */
import type { Backend } from './backend.ts'
import { listenToEvents } from './live-events.ts'
import { request, requestLines, requestText } from './request.ts'

export const httpBackend: Backend = {
  has: () => true,
  request,
  requestText,
  requestLines,
  listen: listenToEvents,
}
