/** The thread's side of a worker pool (worker-pool.ts): answers its requests. */
import { parentPort } from 'node:worker_threads'
import { toErrorMessage } from '../../core/errors.ts'

export interface WorkerRequest<Request> {
  readonly id: number
  readonly request: Request
}

/** A message from the thread. `ready` is sent once, when it can answer. */
export type ThreadMessage<Reply> =
  | 'ready'
  | { readonly id: number; readonly reply: Reply }
  | { readonly id: number; readonly error: string }

/** Answers every request with the result of `handle`; an error that it throws rejects only that request. */
export function answerThreadRequests<Request, Reply>(
  handle: (request: Request) => Reply | Promise<Reply>,
): void {
  const port = parentPort
  if (port === null) throw new Error('this file runs only as a worker thread')
  const post = (message: ThreadMessage<Reply>) => port.postMessage(message)
  port.on('message', async ({ id, request }: WorkerRequest<Request>) => {
    try {
      post({ id, reply: await handle(request) })
    } catch (thrown) {
      post({ id, error: toErrorMessage(thrown) })
    }
  })
  post('ready')
}
