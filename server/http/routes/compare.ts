/** Compares the results of two open sources; each finished pair is one line of the answer. */
import { join } from 'node:path'
import type { Context } from 'hono'
import { type CompareLine, compareEndpoints } from '../../../core/api/compare.ts'
import type { Caller } from '../../calls/call.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ExampleKeeper } from '../../checks/example-keeper.ts'
import { EventQueue } from '../../process/events.ts'
import type { SourceContext } from '../../sources/source.ts'
import type { Store } from '../../store/store.ts'
import { serve } from '../serve-endpoints.ts'

/** The number of inputs that are sent at a time; each is two calls. */
const maxConcurrency = 4

interface CompareParts {
  readonly catalog: Catalog
  readonly context: SourceContext
  readonly examples: ExampleKeeper
  readonly callFor: (context: Context) => Caller
  readonly store: Store
  /** The folder of toolscope.json; null if there is no such file. */
  readonly projectFolder: string | null
}

export function compareRoutes({ catalog, context, examples, callFor, store, projectFolder }: CompareParts) {
  return serve(compareEndpoints, {
    'POST /api/compare': async ({ body: { a, b, history, allowWrites }, signal, context: request }) => {
      for (const name of [a, b]) catalog.sources.get(name)
      // Loaded with the first comparison: the patterns of masks alone are a quarter of a megabyte.
      const [{ comparePairs, planComparison }, { maskFileName, readMaskFile }] = await Promise.all([
        import('../../checks/compare-sources.ts'),
        import('../../checks/mask-file.ts'),
      ])
      const file = projectFolder === null ? undefined : join(projectFolder, maskFileName)
      const masks = file === undefined ? undefined : await readMaskFile(file, false)
      const { callsAtATime = Number.POSITIVE_INFINITY } = request.get('person') ?? {}
      const options = {
        catalog,
        call: callFor(request),
        store,
        sides: [a, b],
        keeper: examples,
        historySources: [a, b],
        examples: true,
        history,
        masks: masks ?? [],
        allowWrites,
        allowDestructive: false,
        concurrency: Math.max(1, Math.min(maxConcurrency, Math.floor(callsAtATime / 2))),
        isInTurn: callsAtATime < 2,
        environment: context.environment,
        signal,
      } as const
      const plan = await planComparison(options)
      const lines = new EventQueue<CompareLine>()
      const { problems, pairs } = plan
      const total = pairs.length
      lines.push({ type: 'plan', total, problems, ...(masks === undefined ? {} : { masks: maskFileName }) })
      void comparePairs(plan, options, pair => lines.push({ type: 'pair', ...pair })).finally(() =>
        lines.end(),
      )
      return lines
    },
  })
}
