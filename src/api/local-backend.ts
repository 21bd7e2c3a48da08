import { AppError } from '../../core/errors.ts'
import type { AnswerTo, Backend, KeyOf, RequestTo } from './backend.ts'

/** The handlers of the endpoints that a backend has. */
export type Handlers = {
  readonly [Of in KeyOf<'json'>]?: (given: RequestTo<Of>) => Promise<AnswerTo<Of>>
}
export type LineHandlers = {
  readonly [Of in KeyOf<'lines'>]?: (given: RequestTo<Of>) => AsyncIterable<AnswerTo<Of>>
}

/** Returns a backend inside the page. It has the endpoints that have a handler. */
export function localBackend(handlers: Handlers, lineHandlers: LineHandlers = {}): Backend {
  const missing = (key: string) => new AppError('internal', `${key} is not available here.`)
  return {
    has: key => key in handlers || key in lineHandlers,
    async request(key, given) {
      const handler = handlers[key]
      if (!handler) throw missing(key)
      return handler(given)
    },
    async requestText(key) {
      throw missing(key)
    },
    requestLines(key, given) {
      const handler = lineHandlers[key]
      if (!handler) throw missing(key)
      return handler(given)
    },
  }
}
