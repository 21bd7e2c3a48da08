/**
 * `toolscope lint`: finds what model APIs and clients would refuse or alter; exits with 5 if a finding is as severe as
 * `--fail-on`.
 */

import { relative } from 'node:path'
import { z } from 'zod'
import { lintFinding } from '../../core/api/prompt.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { type LintClient, lintClients } from '../../core/lint/lint-finding.ts'
import { lintTools } from '../../core/lint/lint-tools.ts'
import { cueFindings } from '../../core/lint/suspicious-texts.ts'
import { chooseTools } from '../../core/prompt/prompt.ts'
import { lintFails, lintRenderers } from '../../core/report/lint-render.ts'
import { countFindings } from '../../core/report/lint-report.ts'
import { version } from '../process/version.ts'
import { type CommandContext, defineCommand, fields, sourceExits, sourceFields } from './command.ts'
import { chooseExitCode, type Prepared, readManifests, reportFailures, withCatalog } from './open-catalog.ts'
import { defineReports } from './reports.ts'

const reports = defineReports(lintRenderers)

export const lintCommand = defineCommand({
  name: 'lint',
  description:
    'Find what clients refuse or change in these tools: MCP’s own rules, hosts such as VS Code, model APIs.',
  input: z.object({
    ...sourceFields,
    client: z
      .string()
      .optional()
      .describe(
        `Clients to check for, comma separated: ${lintClients.join(', ')}. Default: those of toolscope.json, else mcp.`,
      ),
    cues: z
      .boolean()
      .default(false)
      .describe('Report what texts do that a description should not, instead of what clients refuse.'),
    failOn: z
      .enum(['error', 'warning', 'never'])
      .default('error')
      .describe('Exit with code 5 for findings of this severity or worse.'),
    all: z
      .boolean()
      .default(false)
      .describe('Print every finding with what to do, not a line for each rule.'),
    ...reports.fields,
    tools: fields.tools,
    config: fields.config,
    trust: fields.trust,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope lint mcp.json --client openai,anthropic', 'what two model APIs refuse or change'],
    ['toolscope lint tools.json --fail-on warning --format sarif', 'for CI'],
  ],
  exitCodes: { ...sourceExits, 5: 'a finding is as severe as --fail-on says, or worse' },
  output: z.object({
    clients: z.array(z.enum(lintClients)),
    toolCount: z.number(),
    counts: z.object({ error: z.number(), warning: z.number(), info: z.number() }),
    failed: z.boolean(),
    findings: z.array(lintFinding),
  }),

  async run(input, context) {
    const named = input.client === undefined ? undefined : parseClients(input.client)
    return withCatalog(input, context, async prepared => {
      const clients = named ?? prepared.config.lintClients
      const failures = reportFailures(prepared, context)
      const search = prepared.catalog.tools.search()
      const tools = chooseTools(search, { sources: [], query: input.tools, without: [] })
      const findings = input.cues
        ? cueFindings(
            tools,
            readManifests(prepared).map(({ name, manifest }) => ({ name, ...manifest })),
          )
        : lintTools(tools, clients)
      const failed = findings.some(({ severity }) => lintFails(severity, input.failOn))
      const exitCode = failures.length === 0 && failed ? exitCodes.breaking : chooseExitCode(failures)
      const output = {
        clients: [...clients],
        toolCount: tools.length,
        counts: countFindings(findings),
        failed,
        findings: findings.map(each => ({ ...each, clients: [...each.clients] })),
      }
      const report = {
        output,
        clients: input.cues ? [] : clients,
        tools,
        findings,
        failOn: input.failOn,
        isComplete: input.all,
        fileOf: (source: string) => describeSourceFile(source, prepared, context),
        version,
      }
      return { output, exitCode, ...reports.render(report, input, context) }
    })
  },
})

/**
 * Returns the manifest file of a source, or the configuration that names it, relative to the working directory; else
 * its label.
 */
function describeSourceFile(source: string, { specs }: Prepared, { directory }: CommandContext): string {
  const spec = specs.find(({ settings }) => settings.name === source)
  if (spec === undefined) return source
  if (spec.kind === 'manifest-file' || spec.origin?.from !== 'file') return spec.label
  return relative(directory, spec.origin.file)
}

function parseClients(text: string): readonly LintClient[] {
  const words = text.split(',').map(word => word.trim())
  for (const word of words)
    if (!lintClients.some(client => client === word))
      throw new AppError('usage', `"${word}" is not a client that the rules know`, {
        hint: `Name one or more of: ${lintClients.join(', ')}.`,
      })
  return lintClients.filter(client => words.includes(client))
}
