/** The worker thread that counts tokens: the tokenizer's tables and seconds of counting stay off the main thread. */
import { parentPort } from 'node:worker_threads'
import { loadTokenCounter, rememberingCounter } from '../../core/prompt/token-counter.ts'
import type { CountAnswer, CountJob } from './token-service.ts'

const port = parentPort
if (port === null) throw new Error('token-worker.js runs only as a worker thread')

const counter = loadTokenCounter().then(rememberingCounter)

port.on('message', async (job: CountJob) => {
  const { count } = await counter
  port.postMessage({ id: job.id, counts: job.texts.map(count) } satisfies CountAnswer)
})
