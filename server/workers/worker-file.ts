/** Where the bundles of the worker threads lie. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The entries of the build (vite.config.ts) that run as threads. */
export type WorkerName =
  | 'validation-worker'
  | 'script-worker'
  | 'token-worker'
  | 'diff-worker'
  | 'changelog-worker'

/**
 * Absolute path. In the built program a worker lies beside the bundle. Run from source (tests), it is the one in
 * dist/server: the set-up of the tests (scripts/current-server.mjs) builds it again where it is older than the sources.
 */
export function workerFile(name: WorkerName): string {
  const beside = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/server/${name}.js`, import.meta.url))
}
