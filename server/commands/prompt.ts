/**
 * `toolscope prompt`: prints the prompt that an agent gets for a set of tools to stdout, and its token counts to
 * stderr.
 */

import { z } from 'zod'
import { promptMeasure } from '../../core/api/prompt.ts'
import { encoding, measurePrompt, promptSummary } from '../../core/prompt/measure.ts'
import { chooseTools, promptParts, readablePrompt, setName } from '../../core/prompt/prompt.ts'
import { promptFormats } from '../../core/prompt/prompt-formats.ts'
import { loadTokenCounter } from '../../core/prompt/token-counter.ts'
import { plainJsonText } from '../../core/text/plain-text.ts'
import { defineCommand, fields, sourceExits, sourceFields } from './command.ts'
import { chooseExitCode, reportFailures, withCatalog } from './open-catalog.ts'

const tokens = z.object({
  encoding: z.string(),
  note: z.string().describe('How far the counts hold for other models.'),
  ...promptMeasure.shape,
})

export const promptCommand = defineCommand({
  name: 'prompt',
  description:
    'Print the prompt that an agent gets for these tools, full or compact, and its cost in tokens.',
  input: z.object({
    ...sourceFields,
    format: z
      .enum(promptFormats)
      .default('text')
      .describe(
        'text: a scripted tool’s system prompt; mcp: tools/list; openai: Chat Completions; anthropic: Messages.',
      ),
    compact: z.boolean().default(false).describe('Print names and one-line descriptions without schemas.'),
    files: z
      .boolean()
      .default(true)
      .describe('Mention in the text format that scripts may use files of their own.'),
    budget: z.number().int().min(1).optional().describe('Token budget; prints how many tools fit.'),
    tools: fields.tools,
    config: fields.config,
    trust: fields.trust,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope prompt mcp.json --compact --budget 1000', 'how many tools fit into 1000 tokens'],
    ['toolscope prompt mcp.json --format openai', 'the tools as the OpenAI API takes them'],
  ],
  exitCodes: sourceExits,
  output: z.object({
    format: z.enum(promptFormats),
    compact: z.boolean(),
    prompt: z.string(),
    tokens,
  }),

  async run(input, context) {
    return withCatalog(input, context, async prepared => {
      const failures = reportFailures(prepared, context)
      const search = prepared.catalog.tools.search()
      const chosen = chooseTools(search, { sources: [], query: input.tools, without: [] })
      const { format, compact, files, budget } = input
      const options = { format, compact, files, set: setName(chosen) }
      const counter = await loadTokenCounter()
      const count = async (texts: readonly string[]) => texts.map(counter.count)
      const measure = await measurePrompt(chosen, options, count, budget)
      return {
        output: {
          format,
          compact,
          prompt: readablePrompt(promptParts(chosen, options)),
          tokens: {
            encoding: encoding.name,
            note: encoding.note,
            ...measure,
            sources: [...measure.sources],
            tools: [...measure.tools],
            fields: [...measure.fields],
          },
        },
        exitCode: chooseExitCode(failures),
      }
    })
  },
  print(output, context) {
    context.write(output.format === 'text' ? output.prompt : plainJsonText(output.prompt))
    for (const line of promptSummary(output.tokens)) context.say(line)
  },
})
