#!/usr/bin/env node
/**
 * The entry point. Handles what needs no other module, and turns on Node's compile cache for the modules that are
 * loaded afterwards.
 */
import module from 'node:module'
import { version } from './process/version.ts'
import { cacheDirectory } from './store/location.ts'

const [first = '', ...others] = process.argv.slice(2)
if (others.length === 0 && ['--version', '-V'].includes(first)) {
  // The reader has closed the pipe (`toolscope list | head`).
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    process.exitCode = code === 'EPIPE' ? 0 : 1
  })
  process.stdout.write(`${version}\n`)
} else {
  keepCompiled()
  await import('./commands/program.ts')
}

/** Needs Node 22.1; Node 20 compiles at each start. NODE_COMPILE_CACHE names another folder. */
function keepCompiled(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown }
  enableCompileCache?.(process.env.NODE_COMPILE_CACHE || cacheDirectory(process.env))
}
