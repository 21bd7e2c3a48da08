import type { ToSandbox } from '../../../core/script/protocol.ts'

/** To the worker: first the engine, then what any sandbox is told. */
export type ToWorker = { readonly type: 'engine'; readonly bytes: Uint8Array<ArrayBuffer> } | ToSandbox
