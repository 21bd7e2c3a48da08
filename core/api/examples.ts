/**
 * The HTTP contract of the examples.
 *
 * | route | answer |
 * |---|---|
 * | `GET  /api/examples?ref=` | ExampleList: of one tool |
 * | `PUT  /api/examples` {ref, text} | SavedExample: kept under its name; the text is the file's |
 * | `DELETE /api/examples?ref=&name=` | ExampleList |
 * | `POST /api/examples/run` {ref, name} | ExampleOutcome: the call is made |
 */
import { z } from 'zod'

export const examplesQuery = z.object({ ref: z.string().min(1) })
export const removeExampleQuery = z.object({ ref: z.string().min(1), name: z.string().min(1) })
export const saveExampleBody = z.object({ ref: z.string().min(1), text: z.string() })
export const runExampleBody = z.object({ ref: z.string().min(1), name: z.string().min(1) })

export interface KeptExample {
  readonly name: string
  /** The example as `writeExample` writes it. */
  readonly text: string
  /** Its file, relative to the configuration's folder; absent in the store. */
  readonly file?: string
}

/** A file that is no example; the others are unharmed. */
export interface ExampleProblem {
  /** Relative to the configuration's folder. */
  readonly file: string
  readonly message: string
}

export interface ExampleList {
  readonly examples: readonly KeptExample[]
  readonly problems: readonly ExampleProblem[]
  /** Where they are kept, for people. */
  readonly place: string
}

export interface SavedExample {
  readonly example: KeptExample
  /** JSON Pointers of secret members of the input that were not written down. */
  readonly leftOut: readonly string[]
}
