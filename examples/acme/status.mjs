import { incidentList, regions, releaseList } from './data.mjs'
import { z } from './libraries.mjs'
import { tool } from './llms-program.mjs'

export const status = tool({
  description: 'Say in one answer how Acme Cloud does',
  input: z.object({}),
  output: z.object({ regions: z.int(), open_incidents: z.int(), live: z.record(z.string(), z.string()) }),
  run: () => ({
    regions: regions.length,
    open_incidents: incidentList.filter(incident => incident.state === 'open').length,
    live: Object.fromEntries(
      releaseList
        .filter(({ state }) => state === 'live')
        .map(({ environment, release }) => [environment, release]),
    ),
  }),
})
