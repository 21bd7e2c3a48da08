/** `toolscope discover`: finds tools by word, category or tag. */
import { z } from 'zod'
import { AppError, exitCodes } from '../../core/errors.ts'
import {
  categoryText,
  countCategories,
  describeFoundTool,
  discover as find,
} from '../../core/prompt/discover.ts'
import { helpList } from '../../core/prompt/help-formats.ts'
import { quoteForShell } from '../../core/text/shell.ts'
import { defineCommand, fields, sourceExits, sourceFields } from './command.ts'
import { openForHelp } from './help-target.ts'

const ways = ['search', 'category', 'tag'] as const

export const discoverCommand = defineCommand({
  name: 'discover',
  description: 'Find tools by what they do, by category or by tag. Prints nothing if none is found.',
  input: z.object({
    ...sourceFields,
    search: z.string().optional().describe('What the tool does, in any words; best match first.'),
    categories: z
      .boolean()
      .default(false)
      .describe('List the categories (sources and groups) with their counts.'),
    category: z
      .string()
      .optional()
      .describe('Only tools of this category: a source, or the first word of nested names.'),
    tag: z
      .string()
      .optional()
      .describe('Only tools with this tag: the author’s own, or a hint such as read-only or destructive.'),
    config: fields.config,
    trust: fields.trust,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope discover mcp.json --search "read a file"', 'what tools do, in any words'],
    ['toolscope discover --categories', 'the sources and groups of toolscope.json'],
  ],
  exitCodes: sourceExits,
  output: z.object({
    /** With `--categories`. */
    categories: z.array(z.object({ category: z.string(), count: z.number() })).optional(),
    tools: z
      .array(
        z.object({
          categories: z.array(z.string()),
          description: z.string(),
          name: z.string(),
          tags: z.array(z.string()),
        }),
      )
      .optional(),
  }),

  async run(input, context) {
    const wanted = ways.flatMap(by => {
      const word = input[by]
      return word === undefined ? [] : [{ by, word }]
    })
    if (wanted.length === 0 && !input.categories) {
      const [first] = input.sources
      const search = `toolscope discover --search ${quoteForShell(typeof first === 'string' ? first : 'WORD')}`
      throw new AppError('usage', 'discover: say what to look for', {
        hint: `One or more of: --categories, --category NAME, --tag TAG, --search WORD: ${search} SOURCE`,
      })
    }
    const { entries, incomplete } = await openForHelp(undefined, input, context)
    const found = wanted.reduce<typeof entries>((left, each) => find(left, each), entries)
    const exitCode = incomplete ? exitCodes.unreachable : exitCodes.fine
    if (!input.categories)
      return { output: { tools: found.map(describeFoundTool) }, text: helpList(found), exitCode }
    const categories = countCategories(found)
    return { output: { categories }, text: categoryText(categories), exitCode }
  },
})
