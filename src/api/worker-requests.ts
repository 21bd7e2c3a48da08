/** Sends requests to a web worker and receives its replies. */

interface Message<Body> {
  readonly id: number
  readonly body: Body
}

/**
 * Returns the function that sends a request to the worker; the first request starts it. If a reply takes more than
 * `timeoutMs` or the worker fails, every open request gets `noReply`, and the next one starts a new worker.
 */
export function createWorkerClient<Request, Reply>(
  start: () => Promise<Worker>,
  timeoutMs: number,
  noReply: Reply,
): (request: Request) => Promise<Reply> {
  let worker: Promise<Worker> | undefined
  let lastId = 0
  const pending = new Map<number, (reply: Reply) => void>()
  const end = () => {
    void worker?.then(ended => ended.terminate())
    worker = undefined
    for (const settle of [...pending.values()]) settle(noReply)
  }
  const begin = async () => {
    const started = await start()
    started.addEventListener('message', ({ data }: MessageEvent<Message<Reply>>) =>
      pending.get(data.id)?.(data.body),
    )
    started.addEventListener('error', end)
    return started
  }
  return async body => {
    worker ??= begin()
    const ready = await worker.catch((thrown: unknown) => {
      worker = undefined
      throw thrown
    })
    return new Promise(resolve => {
      const id = ++lastId
      const timer = setTimeout(end, timeoutMs)
      pending.set(id, reply => {
        clearTimeout(timer)
        pending.delete(id)
        resolve(reply)
      })
      ready.postMessage({ id, body } satisfies Message<Request>)
    })
  }
}

/** Answers each request, inside the worker. */
export function answerWorkerRequests<Request, Reply>(
  answer: (request: Request) => Reply | Promise<Reply>,
): void {
  addEventListener('message', async ({ data: { id, body } }: MessageEvent<Message<Request>>) =>
    postMessage({ id, body: await answer(body) } satisfies Message<Reply>),
  )
}
