/**
 * The worker thread that applies schemas with Ajv. It may hang on a hostile schema: the thread that owns it
 * (validator.ts) ends it after a time limit and starts another.
 */
import { parentPort } from 'node:worker_threads'
import { applySchema } from './apply-schema.ts'
import type { ValidationAnswer, ValidationJob } from './validator.ts'

const port = parentPort
if (port === null) throw new Error('validation-worker.js runs only as a worker thread')

port.on('message', (job: ValidationJob) => {
  const answer: ValidationAnswer = { id: job.id, validation: applySchema(job.schemaText, job.value) }
  port.postMessage(answer)
})
