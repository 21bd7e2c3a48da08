/** `toolscope lint`: what model APIs and clients would refuse or alter; ends with 5 where that is too much. */

import { z } from 'zod'
import { lintFinding } from '../../core/api/prompt.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { defaultLintClients, type LintClient, lintClients } from '../../core/lint/finding.ts'
import { lintTools } from '../../core/lint/lint-tools.ts'
import { lintText } from '../../core/lint/report.ts'
import { chooseTools } from '../../core/prompt/choose-tools.ts'
import { plainJson } from '../../core/text/plain-text.ts'
import { defineCommand, fields } from './command.ts'
import { exitCodeOf, reportFailures, withCatalog } from './open-catalog.ts'

export const lint = defineCommand({
  name: 'lint',
  description:
    'Check what OpenAI, Anthropic, Gemini, AIChat and MCP clients would refuse or alter in these tools.',
  input: z.object({
    sources: fields.sources,
    client: z
      .string()
      .default(defaultLintClients.join(','))
      .describe(`Clients to check for, comma separated: ${lintClients.join(', ')}.`),
    failOn: z
      .enum(['error', 'warning', 'never'])
      .default('error')
      .describe('End with exit code 5 for findings of this severity and worse.'),
    format: z.enum(['text', 'json']).default('text').describe('text or json.'),
    tools: fields.tools,
    config: fields.config,
    trust: fields.trust,
  }),
  positionals: ['sources'],
  output: z.object({
    clients: z.array(z.enum(lintClients)),
    toolCount: z.number(),
    counts: z.object({ error: z.number(), warning: z.number(), info: z.number() }),
    failed: z.boolean(),
    findings: z.array(lintFinding),
  }),

  async run(input, context) {
    const clients = parseClients(input.client)
    return withCatalog(input, context, async prepared => {
      const failures = reportFailures(prepared, context)
      const search = prepared.catalog.tools.search()
      const tools = chooseTools(search, { sources: [], query: input.tools, without: [] })
      const findings = lintTools(tools, clients)
      const counts = { error: 0, warning: 0, info: 0 }
      for (const { severity } of findings) counts[severity] += 1
      const { failOn } = input
      const failed = failOn !== 'never' && (counts.error > 0 || (failOn === 'warning' && counts.warning > 0))
      const exitCode = failures.length === 0 && failed ? exitCodes.breaking : exitCodeOf(failures)
      return {
        output: {
          clients: [...clients],
          toolCount: tools.length,
          counts,
          failed,
          findings: findings.map(each => ({ ...each, clients: [...each.clients] })),
        },
        exitCode,
      }
    })
  },
  print(output, context, input) {
    context.write(input.format === 'json' ? `${plainJson(output)}\n` : lintText(output))
  },
})

function parseClients(text: string): readonly LintClient[] {
  const words = text.split(',').map(word => word.trim())
  for (const word of words)
    if (!lintClients.some(client => client === word))
      throw new AppError('usage', `"${word}" is no client that the rules know`, {
        hint: `Name one or more of: ${lintClients.join(', ')}.`,
      })
  return lintClients.filter(client => words.includes(client))
}
