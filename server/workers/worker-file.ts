/** Finds the bundles of the worker threads. */
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
 * Returns the absolute path. In the built program a worker is next to the bundle. Run from source (tests), it is the
 * one in dist/server, which the tests' set-up (scripts/current-server.mjs) rebuilds if it is older than the sources.
 */
export function workerFile(name: WorkerName): string {
  const siblingPath = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  return existsSync(siblingPath)
    ? siblingPath
    : fileURLToPath(new URL(`../../dist/server/${name}.js`, import.meta.url))
}
