/** The rules of `toolscope diff`: those of the options, else those of toolscope.json. */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { DiffReport } from '../../core/diff/change.ts'
import { expiredIgnores, type TeamRules } from '../../core/diff/team-rules.ts'
import { loadConfig } from '../config/config.ts'
import { type RuleFile, readTeamRules } from '../versions/read-team-rules.ts'
import type { CommandContext } from './command.ts'

/** Entries that one line names; the others are counted. */
const maxNamed = 10

/** The options of a command that applies the rules. */
export const rulesFields = {
  ignore: z
    .string()
    .optional()
    .describe(
      'A file of accepted changes: fingerprint, reason, expiry; default "diff.ignore" of toolscope.json.',
    ),
  rules: z
    .string()
    .optional()
    .describe('A file that sets the severity of rules; default "diff.rules" of toolscope.json.'),
} as const

interface RulesInput {
  readonly rules?: string | undefined
  readonly ignore?: string | undefined
  readonly config?: string | undefined
}

/**
 * Reads the rules, and prints to stderr which of them come from the configuration. Throws AppError `rules-invalid`, and
 * `config-invalid` unless options name both files.
 */
export async function openRules(input: RulesInput, context: CommandContext): Promise<TeamRules> {
  const { directory, say } = context
  const option = (key: 'rules' | 'ignore'): RuleFile | undefined => {
    const name = input[key]
    if (name === undefined) return undefined
    return { path: resolve(directory, name), name, namedBy: `--${key}`, mayBePipe: true }
  }
  const [rules, ignore] = [option('rules'), option('ignore')]
  const configured = rules && ignore ? {} : loadConfig(directory, input.config).ruleFiles
  const implied = [rules ? undefined : configured.rules, ignore ? undefined : configured.ignore].flatMap(
    file => file?.name ?? [],
  )
  if (implied.length > 0) say(`toolscope.json names rules for this comparison: ${implied.join(' and ')}.`)
  return readTeamRules({ ...configured, ...(rules && { rules }), ...(ignore && { ignore }) })
}

/** Prints to stderr which entries of the ignore file have expired, and which match no change. */
export function printRemarks({ ignore }: TeamRules, report: DiffReport, { say }: CommandContext): void {
  if (ignore === undefined) return
  const { file } = ignore
  const { unusedIgnores: unused } = report
  for (const { fingerprint, expires } of expiredIgnores(ignore, unused))
    say(`${file}: the entry for ${fingerprint} ended on ${expires}; the change counts again.`)
  if (unused.length === 1)
    say(
      `${file}: the entry for ${unused[0]} matches no change here; remove it if no other comparison needs it.`,
    )
  if (unused.length > 1)
    say(
      `${file}: the entries for ${listed(unused)} match no change here; remove those that no other comparison needs.`,
    )
}

/** `1a2b3c4d, 2b3c4d5e and 3 more` */
function listed(fingerprints: readonly string[]): string {
  const more = fingerprints.length - maxNamed
  return `${fingerprints.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
