#!/usr/bin/env node
/** The entry. Answers what needs nothing loaded, and has Node keep what it compiles of all that is loaded afterwards. */
import module from 'node:module'
import { version } from './process/version.ts'
import { cacheDirectory } from './store/location.ts'

const [first = '', ...others] = process.argv.slice(2)
if (others.length === 0 && ['--version', '-V'].includes(first)) {
  // Who has read enough has closed the pipe.
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    process.exitCode = code === 'EPIPE' ? 0 : 1
  })
  process.stdout.write(`${version}\n`)
} else {
  keepCompiled()
  await import('./commands/program.ts')
}

/** From Node 22.1 on; Node 20 compiles at each start. NODE_COMPILE_CACHE names another folder. */
function keepCompiled(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown }
  enableCompileCache?.(process.env.NODE_COMPILE_CACHE || cacheDirectory(process.env))
}
