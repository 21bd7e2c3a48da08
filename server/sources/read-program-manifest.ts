/** Reads the manifest of a `--llms` program, part by part if the whole cannot be read. */
import { stripVTControlCharacters } from 'node:util'
import { AppError, toAppError } from '../../core/errors.ts'
import { parseManifestText, readManifest } from '../../core/manifest/read-manifest.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { formatCommand } from '../process/command-line.ts'
import { type RunResult, runToEnd } from '../process/process.ts'
import { findJson } from './json-output.ts'

const defaultListTimeoutMs = 20_000
const maxManifestBytes = 128 * 1024 * 1024
const incurManifestFlags = ['--llms-full', '--format', 'json'] as const

export interface DescribedProgram {
  readonly argv: readonly string[]
  readonly flags: LlmsFlags
  readonly subprograms: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** 20 s unless given. */
  readonly listTimeoutMs?: number | undefined
}

/**
 * Returns the manifest of the whole program; incur's if `--llms` does not return one; or the joined manifests of the
 * named sub-programs if the whole program cannot answer.
 */
export async function readProgramManifest(program: DescribedProgram, signal: AbortSignal): Promise<Manifest> {
  try {
    return await ask(program, [program.flags.manifest], signal)
  } catch (thrown) {
    const error = toAppError(thrown)
    if (program.subprograms.length > 0) return askParts(program, error, signal)
    return (await askIncur(program, error, signal)) ?? Promise.reject(await explain(program, error, signal))
  }
}

/**
 * incur answers `--llms` with markdown, and prints its full list as JSON only with these flags. Returns null if it is
 * not an incur program.
 */
async function askIncur(
  program: DescribedProgram,
  error: AppError,
  signal: AbortSignal,
): Promise<Manifest | null> {
  const worthIt = ['manifest-not-json', 'manifest-unrecognised', 'source-failed'].includes(error.code)
  if (!worthIt || signal.aborted || program.flags.manifest !== usualFlags.manifest) return null
  try {
    const manifest = await ask(program, incurManifestFlags, signal)
    return manifest.format === 'incur' ? manifest : null
  } catch {
    return null
  }
}

async function ask(
  program: DescribedProgram,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Manifest> {
  const [file = '', ...rest] = program.argv
  const args = [...rest, ...words]
  const timeoutMs = program.listTimeoutMs ?? defaultListTimeoutMs
  const result = await runToEnd(file, args, {
    directory: program.directory,
    environment: program.environment,
    signal,
    timeoutMs,
    maxOutputBytes: maxManifestBytes,
  })
  const command = formatCommand([file, ...args])
  const output = (result.stderr || result.stdout).slice(0, 4_000)
  if (result.end === 'spawn') {
    const system = result.spawnError
    const code = system?.code === 'ENOENT' ? 'source-not-found' : 'source-not-runnable'
    throw new AppError(code, `${command}: ${system?.message ?? 'could not be started'}`)
  }
  if (result.end === 'timeout')
    throw new AppError(
      'source-timeout',
      `${command} did not answer within ${timeoutMs / 1000} s (ended by Toolscope)`,
      { output },
    )
  if (result.end === 'cancelled') throw new AppError('source-failed', `${command} was cancelled`)
  if (result.end === 'too-large')
    throw new AppError('source-failed', `${command} printed more than ${maxManifestBytes / 1024 / 1024} MiB`)
  let manifest: Manifest
  try {
    manifest = findManifest(result.stdout)
  } catch (thrown) {
    if (result.exitCode !== 0) throw exitError(command, words, result, output)
    const error = toAppError(thrown)
    throw error.with({ detail: `${command}: ${error.detail}`, output: error.output ?? output })
  }
  if (result.exitCode === 0) return manifest
  const message = `The program printed its list and ${howItEnded(result)}.`
  const hint = 'The list is shown unchanged. See what the program wrote to stderr.'
  return { ...manifest, problems: [{ message, hint }, ...manifest.problems] }
}

/** Returns the manifest in a program's output. Throws as `parseManifestText` does. */
function findManifest(stdout: string): Manifest {
  try {
    return parseManifestText(stdout, 'The output')
  } catch (thrown) {
    const found = toAppError(thrown).code === 'manifest-not-json' ? findJson(stdout, holdsTools) : null
    if (found === null) throw thrown
    const manifest = readManifest(found.value)
    const rest = shorten(plainLine(stripVTControlCharacters(found.rest)), 200)
    const message = `The program printed other text around its list: ${JSON.stringify(rest)}`
    const hint = 'Other clients may not find the list. Print a banner or a log to stderr.'
    return { ...manifest, problems: [{ message, hint }, ...manifest.problems] }
  }
}

function holdsTools(value: unknown): boolean {
  try {
    return readManifest(value).tools.length > 0
  } catch {
    return false
  }
}

function exitError(command: string, words: readonly string[], result: RunResult, output: string): AppError {
  const unrepresentable = /^.*cannot be represented in JSON Schema.*$/m.exec(result.stderr)?.[0]
  if (unrepresentable !== undefined)
    return new AppError('manifest-unrepresentable', `${command} said: ${unrepresentable.trim()}`, { output })
  const hint = 'If this is an MCP server, write it as {"mcp": {"command": […]}} in toolscope.json.'
  return new AppError('source-failed', `${command} ${howItEnded(result)}`, {
    output,
    reach: refusesOption(output, words) ? 'refused' : 'ended',
    ...(/\bmcp\b|modelcontextprotocol|\bstdio\b/i.test(`${command}\n${output}`) ? { hint } : {}),
  })
}

/** Returns whether a program says that it does not know one of the options. */
function refusesOption(output: string, words: readonly string[]): boolean {
  const complaint =
    /unknown|unrecogni[sz]ed|unexpected|invalid|illegal|bad|no such|not (?:a |an )?(?:recogni[sz]ed|known|valid)/i
  return output.split('\n').some(line => complaint.test(line) && words.some(word => line.includes(word)))
}

const howItEnded = ({ exitCode, signal }: RunResult) =>
  exitCode === undefined ? `was ended by ${signal}` : `ended with exit code ${exitCode}`

async function askParts(program: DescribedProgram, whole: AppError, signal: AbortSignal): Promise<Manifest> {
  const tools: ManifestTool[] = []
  const problems: ManifestProblem[] = [
    {
      message: `The whole program gave no list (${whole.detail}). The list has only the parts named in "subprograms".`,
    },
  ]
  let callingConvention: string | undefined
  for (const part of program.subprograms) {
    const words = part.split(' ').filter(word => word !== '')
    try {
      const manifest = await ask(program, [...words, program.flags.manifest], signal)
      callingConvention ??= manifest.callingConvention
      tools.push(...manifest.tools.map(tool => ({ ...tool, name: absoluteName(words, tool.name, manifest) })))
      problems.push(...manifest.problems)
    } catch (thrown) {
      const error = toAppError(thrown)
      problems.push({ name: part, message: `${error.message}`, hint: error.toShape().hint })
    }
  }
  if (tools.length === 0)
    throw new AppError(
      whole.code,
      `${whole.detail}; none of its named parts (${program.subprograms.join(', ')}) answered either`,
      {
        output: problems.map(problem => problem.message).join('\n'),
      },
    )
  return {
    tools,
    problems,
    format: '--llms manifest (in parts)',
    ...(callingConvention ? { callingConvention } : {}),
  }
}

/** A sub-program's names are relative to it; a leaf lists its own last segment. */
function absoluteName(words: readonly string[], name: string, manifest: Manifest): string {
  const isLeaf = manifest.tools.length === 1 && name === words.at(-1)
  return (isLeaf ? words : [...words, name]).join(' ')
}

/** Adds what else was tried, and the sub-programs that `--help` lists, so that the user can paste the fix. */
async function explain(program: DescribedProgram, error: AppError, signal: AbortSignal): Promise<AppError> {
  if (error.code.startsWith('manifest-not') || error.code === 'manifest-unrecognised')
    return error.with({
      detail: `${error.detail.replace(/\.?$/, '.')} Asked with ${incurManifestFlags.join(' ')}, it gave no list either.`,
    })
  if (error.code !== 'manifest-unrepresentable') return error
  const [file = '', ...rest] = program.argv
  const { directory, environment } = program
  const help = await runToEnd(file, [...rest, '--help'], { directory, environment, signal, timeoutMs: 5_000 })
  const seen = [...(help.stdout.split(/^Commands:/m)[1] ?? '').matchAll(/^ {2}(\w[\w-]*)/gm)]
    .map(match => match[1] ?? '')
    .filter(name => name !== 'help')
  if (seen.length === 0) return error
  return error.with({
    hint: `${error.toShape().hint.split(' Until then')[0]} Until then, name the working parts in toolscope.json, for instance "subprograms": ${JSON.stringify(seen.slice(0, 12))}.`,
  })
}

/**
 * How a `--llms` program is started. The spelling of the flags can differ per program, and the manifest does not state
 * it.
 */
export interface LlmsFlags {
  /** Prints the manifest; `--llms` unless configured. Always the last argument. */
  readonly manifest: string
  /** Takes the input as its value; `--json` unless configured. */
  readonly input: string
}

export const usualFlags: LlmsFlags = { manifest: '--llms', input: '--json' }

export interface LlmsProgramConfig {
  /** Program and leading arguments, as typed. A sub-program is part of it: `['acme', 'api']`. */
  readonly command: readonly string[]
  readonly flags?: { readonly manifest?: string | undefined; readonly input?: string | undefined }
  /** Sub-programs (space-separated) that are read one by one if the whole program cannot answer. */
  readonly subprograms?: readonly string[]
  /** Working directory; relative to the configuration's. */
  readonly directory?: string
}
