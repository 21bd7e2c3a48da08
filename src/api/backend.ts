import { createContext, useContext } from 'react'
import type { Contract } from '../../core/api/contract.ts'
import type { AnswerOf, FormatOf, RequestOf } from '../../core/api/endpoint.ts'
import type { LiveChanges } from '../../core/api/events.ts'

/** An endpoint of the contract: `GET /api/tools/{+ref}`. */
export type EndpointKey = keyof Contract

/** The endpoints whose answer has this format. */
export type KeyOf<Format> = {
  [Each in EndpointKey]: FormatOf<Contract[Each]> extends Format ? Each : never
}[EndpointKey]

/** The request to an endpoint; aborting the signal ends it. */
export type RequestTo<Of extends EndpointKey> = RequestOf<Contract[Of]> & {
  readonly signal?: AbortSignal | undefined
}

export type AnswerTo<Of extends EndpointKey> = AnswerOf<Contract[Of]>

/** `signed-out`: the server answers, but no longer takes this browser's cookie. */
export type LiveState = 'live' | 'lost' | 'signed-out'

export interface LiveListener {
  onChanges(changes: LiveChanges): void
  onState(state: LiveState): void
}

/**
 * The source of the page's data: all or some endpoints of the contract. A missing endpoint hides the features that need
 * it, so that a read-only page (an export without a server) needs no flags. Every failure is an AppError.
 */
export interface Backend {
  has(key: EndpointKey): boolean
  request<Of extends KeyOf<'json'>>(key: Of, given: RequestTo<Of>): Promise<AnswerTo<Of>>
  requestText<Of extends KeyOf<'text'>>(key: Of, given: RequestTo<Of>): Promise<string>
  /** Returns the lines of the answer as they arrive. Aborting the signal ends the iteration on both sides. */
  requestLines<Of extends KeyOf<'lines'>>(key: Of, given: RequestTo<Of>): AsyncIterable<AnswerTo<Of>>
  /** Listens for changes while the page is visible. Returns the function that stops it. */
  listen?(listener: LiveListener): () => void
}

export const BackendContext = createContext<Backend | null>(null)

export function useBackend(): Backend {
  const backend = useContext(BackendContext)
  if (!backend) throw new Error('BackendContext is missing above this component')
  return backend
}
