/** Generated checks over HTTP: one POST is one run, its events are lines of JSON, and a disconnect ends it. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { type GeneratedEvent, generatedCheckEndpoints } from '../../../core/api/generated-checks.ts'
import type { SkippedTool } from '../../../core/checks/generated-checks.ts'
import { toAppError, toErrorMessage } from '../../../core/errors.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import type { Caller } from '../../calls/call.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ToolPlan } from '../../checks/plan-generated-checks.ts'
import { EventQueue, type Notices } from '../../process/events.ts'
import { listenForAbort } from '../../process/run-with-limit.ts'
import type { Store } from '../../store/store.ts'
import { serve } from '../serve-endpoints.ts'

interface GeneratedCheckParts {
  readonly catalog: Catalog
  readonly callFor: (context: Context) => Caller
  readonly store: Store
  readonly notices: Pick<Notices, 'emit'>
}

export function generatedCheckRoutes({ catalog, callFor, store, notices }: GeneratedCheckParts) {
  /** The running checks of this server by their ids. */
  const stops = new Map<string, AbortController>()
  return serve(generatedCheckEndpoints, {
    'POST /api/generated-checks': async ({ body, signal, context }) => {
      const call = callFor(context)
      const { ref, source = '', confirmed, dryRun, seed, ...limits } = body
      const tools = ref === undefined ? catalog.tools.ofSource(source) : [catalog.callTarget(ref).tool]
      if (ref === undefined) catalog.sources.get(source)
      // Loaded with the first checks: the generator and the second validator are large.
      const [{ findRisk, planTool }, { runGeneratedChecks }, { keepScores }] = await Promise.all([
        import('../../checks/plan-generated-checks.ts'),
        import('../../checks/run-generated-checks.ts'),
        import('../../checks/keep-scores.ts'),
      ])
      const skipped: SkippedTool[] = []
      const plans: ToolPlan[] = []
      for (const tool of tools) {
        const permission = confirmed ? 'all' : 'read-only'
        const risk = findRisk(tool, { permission, consents: confirmed && ref !== undefined })
        if (risk !== undefined) skipped.push(risk)
        if (risk === undefined || (dryRun && risk.needs !== 'nothing'))
          plans.push(await planTool(tool, { seed, listsInputs: dryRun }))
      }
      const id = randomUUID()
      const lines = new EventQueue<GeneratedEvent>()
      lines.push({
        type: 'plan',
        plan: {
          id,
          seed,
          maxCalls: limits.maxCalls,
          isDryRun: dryRun,
          tools: plans.map(({ planned }) => planned),
          skipped,
          inputs: plans.reduce((sum, { inputs }) => sum + inputs.length, 0),
        },
      })
      if (dryRun) {
        lines.end()
        return lines
      }
      const stop = new AbortController()
      stops.set(id, stop)
      const stopListening = listenForAbort([signal], () => stop.abort())
      const run = async () => {
        const { report } = await runGeneratedChecks({
          ...withoutUndefined(limits),
          catalog,
          call,
          plans,
          skipped,
          seed,
          signal: stop.signal,
          onProgress: progress => lines.push({ type: 'progress', progress }),
          onFinding: finding => lines.push({ type: 'finding', finding }),
        })
        await keepScores(store, tools, report.tools).catch(thrown => {
          notices.emit(`The scores of ${ref ?? source} were not stored: ${toErrorMessage(thrown)}`)
        })
        lines.push({ type: 'end', report })
      }
      void run()
        .catch(thrown => {
          notices.emit(
            `The generated checks of ${ref ?? source} ended with an error: ${toErrorMessage(thrown)}`,
          )
          lines.push({ type: 'error', error: toAppError(thrown).toShape() })
        })
        .finally(() => {
          stopListening()
          stops.delete(id)
          lines.end()
        })
      return lines
    },

    'POST /api/generated-checks/{id}/stop': ({ params }) => {
      const stop = stops.get(params.id)
      stop?.abort()
      return { stopped: stop !== undefined }
    },

    'GET /api/generated-checks/scores': async ({ query }) => {
      const { listScores } = await import('../../checks/keep-scores.ts')
      const { source } = query
      return listScores(store, source === undefined ? catalog.tools.list() : catalog.tools.ofSource(source))
    },
  })
}
