/** The machines from before the cloud. */
import { z } from './libraries.mjs'
import { group, tool } from './llms-program.mjs'

const inventory = tool({
  description: 'List the old machines. The register has holes: the answer does not keep to its own schema.',
  input: z.object({
    rack: z
      .string()
      .regex(/^[A-Z][0-9]{1,2}$/)
      .optional()
      .describe('Such as B7'),
  }),
  output: z.object({
    machines: z.array(
      z.object({
        name: z.string(),
        rack: z.string(),
        cores: z.int().min(1),
        healthy: z.boolean(),
        bought: z.iso.date(),
      }),
    ),
    counted: z.int(),
  }),
  // The register predates its schema, and half an answer was thought better than none.
  unchecked: true,
  run: ({ rack }) => {
    const machines = [
      { name: 'atlas', rack: 'B7', cores: 16, healthy: true, bought: '2014-03-09' },
      { name: 'hermes', rack: 'B7', cores: '8', healthy: 'yes', bought: '2011-10-30' },
      { name: 'old-mail', rack: 'C1', cores: 4, healthy: false },
    ].filter(machine => machine.rack === (rack ?? machine.rack))
    return { machines, counted: machines.length }
  },
})

export const legacy = group({ description: 'The machines from before the cloud' }, { inventory })
