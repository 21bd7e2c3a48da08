/// <reference lib="webworker" />
/** Compares two manifests beside the page: the questions of containment may take seconds. */
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import type { DiffReply, DiffRequest } from './diff-protocol.ts'

addEventListener('message', async ({ data }: MessageEvent<DiffRequest>) => {
  const { id, a, b } = data
  try {
    postMessage({ id, report: await diffManifests(a, b) } satisfies DiffReply)
  } catch (thrown) {
    postMessage({ id, failed: String(thrown) } satisfies DiffReply)
  }
})
