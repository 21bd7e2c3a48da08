/**
 * Reads a team's rules file and ignore file from disk. Nothing is started for them:
 * docs/decisions/055-rules-of-a-folder.md.
 */
import { readFile, stat } from 'node:fs/promises'
import type { z } from 'zod'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { nearest } from '../../core/text/wording.ts'
import { fileStatus } from '../process/command-line.ts'
import { readJsonc } from '../recognise/mcp-json.ts'

const maxFileBytes = 4 * 1024 * 1024

/** A file with rules. */
export interface RuleFile {
  /** Absolute. */
  readonly path: string
  /** As the user wrote it. */
  readonly name: string
  /** The setting or flag that names it, for an error: `"ignore" of "diff" in /home/ada/toolscope.json`, `--ignore`. */
  readonly namedBy: string
  /** The user named it on the command line, so it may be a pipe: `--ignore <(jq …)`. */
  readonly mayBePipe?: true
}

export interface RuleFiles {
  readonly rules?: RuleFile
  readonly ignore?: RuleFile
}

/**
 * Reads the given files. Throws AppError `rules-invalid` if a file is missing or broken: a comparison without it would
 * show other counts than the team's.
 */
export async function readTeamRules({ rules, ignore }: RuleFiles): Promise<TeamRules> {
  if (rules === undefined && ignore === undefined) return {}
  // Their shapes load every rule of a comparison, which a start without such files does not need.
  const { ignoreFile, rulesFile } = await import('../../core/diff/rule-files.ts')
  const [severities, entries] = await Promise.all([
    rules && readRuleFile(rules, rulesFile, ['rules']).then(file => file.rules),
    ignore &&
      readRuleFile(ignore, ignoreFile, ['ignore', 'fingerprint', 'reason', 'expires']).then(
        file => file.ignore,
      ),
  ])
  return {
    ...(rules && severities && { rules: { file: rules.name, severities } }),
    ...(ignore && entries && { ignore: { file: ignore.name, entries, today: today() } }),
  }
}

/**
 * Returns a reader of the current rules on disk. It reads again when a file or the day changes. It reports a problem to
 * `onProblem` once, and each call rejects with it until the file changes.
 *
 * @param filesNow returns the current files. May throw AppError `config-invalid`
 * @param config the configuration that names them: if it changes, the files may be others
 */
export function followTeamRules(
  config: string | null,
  filesNow: () => RuleFiles,
  onProblem: (error: unknown) => void,
): () => Promise<TeamRules> {
  let known: { readonly state: string; readonly rules: Promise<TeamRules> } | undefined
  let watched: readonly string[] = config === null ? [] : [config]
  const read = async () => {
    const files = filesNow()
    watched = [config, files.rules?.path, files.ignore?.path].filter(path => typeof path === 'string')
    return readTeamRules(files)
  }
  return () => {
    if (known === undefined || known.state !== describeFileStates(watched)) {
      const rules = read()
      rules.catch(onProblem)
      known = { state: describeFileStates(watched), rules }
    }
    return known.rules
  }
}

/** Returns a text that changes with the content of the files, and each day. */
function describeFileStates(paths: readonly string[]): string {
  const states = paths.map(path => {
    const status = fileStatus(path)
    return status && [status.ino, status.size, status.mtimeMs, status.ctimeMs]
  })
  return JSON.stringify([today(), states])
}

const today = () => new Date().toISOString().slice(0, 10)

/** @param keys all keys of the file, to name the one that an unknown key means */
async function readRuleFile<Schema extends z.ZodType>(
  file: RuleFile,
  schema: Schema,
  keys: readonly string[],
): Promise<z.infer<Schema>> {
  const { value, mistake } = readJsonc(await readText(file))
  if (mistake !== undefined) throw invalid(file, `${file.path}:${mistake}`)
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  const descriptions = parsed.error.issues.map(issue => describeIssue(issue, keys))
  throw invalid(file, `${file.path}: ${descriptions.join('; ')}`)
}

async function readText(file: RuleFile): Promise<string> {
  try {
    const status = await stat(file.path)
    // The configuration of a folder may name a device that never ends, or a pipe that never begins.
    if (!status.isFile() && file.mayBePipe !== true) throw new Error('it is not a file')
    if (status.size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes / 1024 / 1024} MiB`)
    return await readFile(file.path, 'utf8')
  } catch (thrown) {
    const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
    throw invalid(
      file,
      isMissing ? `there is no file ${file.path}` : `${file.path}: ${toErrorMessage(thrown)}`,
    )
  }
}

function describeIssue(issue: z.core.$ZodIssue, keys: readonly string[]): string {
  const location = issue.path.join('.') || 'the file'
  // The issue of a refused record key contains its own messages.
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => message).join('; ')
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${location} is missing`
  if (issue.code !== 'unrecognized_keys') return `${location}: ${issue.message}`
  return issue.keys
    .map(key => {
      const meant = nearest(key, keys)
      return `${location}: unknown key "${key}"${meant ? `; did you mean "${meant}"?` : ''}`
    })
    .join('; ')
}

function invalid({ namedBy, mayBePipe }: RuleFile, detail: string): AppError {
  const hint = mayBePipe && `Fix the file, or name another one with ${namedBy}.`
  return new AppError('rules-invalid', `${detail} (named by ${namedBy})`, { hint })
}
