/** Runs command lines in the process of the test: a start of the program costs a quarter of a second of processor time. */
import { terminalLine, terminalText } from '../../core/text/terminal-text.ts'
import { project } from '../../scripts/project.mjs'
import type { Run, RunOptions } from '../../scripts/toolscope-program.ts'
import { run } from './run.ts'

/**
 * Runs `toolscope <args>` without colours, as `runToolscope` does with the built program. What belongs to the process (signals,
 * a closed pipe, a terminal, `process.exit`) needs the built program.
 */
export async function runCommandLine(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  let [stdout, stderr] = ['', '']
  const code = await run(args, {
    directory: options.directory ?? project(),
    environment: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.environment },
    signal: new AbortController().signal,
    readStdin: async () => options.input ?? '',
    say: line => {
      stderr += `${terminalLine(line)}\n`
    },
    write: (text, own) => {
      stdout += own === 'result' ? text : terminalText(text, own)
    },
    writeError: text => {
      stderr += terminalText(text)
    },
  })
  return { code, stdout, stderr }
}

/** Runs `toolscope check` in a directory whose configuration is trusted. */
export const runCheck = (
  directory: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Run> => runCommandLine(['check', '--trust', ...args], { directory, environment })
