/** An in-memory backend for component tests: the real search, rows and comparison over the tools of a test. */

import { cutRowPage, cutToolPage } from '../../core/catalog/catalog-page.ts'
import { makeTools } from '../../core/catalog/make-tools.testkit.ts'
import { rowsQuery, toolsQuery } from '../../core/catalog/rows.ts'
import { createSearchIndex } from '../../core/catalog/search-index.ts'
import type { DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { rulesOptions, type TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import type { UiSchema } from '../../core/form/tool-forms.ts'
import { countWarnings } from '../../core/lint/lint-tools.ts'
import { finish } from '../../core/slices.ts'
import type { CallEvent, Ending, Failure, Validation } from '../../core/tool/invocation.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import type { Backend } from '../api/backend.ts'
import { type Handlers, type LineHandlers, localBackend } from '../api/local-backend.ts'

const source = 'desk'

export interface MemoryData {
  /** Tools of the source `desk`. */
  readonly tools?: readonly (string | Partial<ManifestTool>)[]
  /** The uiSchemas of their forms, by the tools' names. */
  readonly forms?: Readonly<Record<string, UiSchema>>
  /** Returns the result of a call for its input. @param timeoutMs the limit that the page sent */
  readonly answer?: (
    input: unknown,
    timeoutMs: number | undefined,
  ) => Partial<Ending> & { readonly validation?: Validation }
  /** The failure with which each call ends instead. */
  readonly failure?: Failure
  /** Manifests that can be compared, by reference. */
  readonly manifests?: Readonly<Record<string, DiffSide>>
  /** The rules of comparisons. */
  readonly rules?: TeamRules
  /** Handlers that are added or replaced. */
  readonly handlers?: Handlers
  readonly lineHandlers?: LineHandlers
}

export function memoryBackend({
  tools = [],
  forms = {},
  answer,
  failure,
  manifests = {},
  rules = {},
  handlers,
  lineHandlers,
}: MemoryData): Backend {
  const listed = makeTools(source, tools)
  const index = createSearchIndex(listed, [source])
  const about = { name: source, kind: 'manifest-file', label: 'desk.json', status: 'ready' } as const
  const getDiffSide = (reference: string): DiffSide => {
    const side = manifests[reference]
    if (side === undefined)
      throw new AppError('source-not-found', `"${reference}" is no manifest of this test`)
    return side
  }
  return localBackend(
    {
      'GET /api/sources': async () => ({
        sources: [{ ...about, toolCount: listed.length, callable: true, problems: [] }],
        examples: [],
        removed: [],
      }),
      'GET /api/rows': async ({ query }) => finish(cutRowPage(index, rowsQuery.parse(query), countWarnings)),
      'GET /api/tools': async ({ query }) => cutToolPage(index, toolsQuery.parse(query)),
      async 'GET /api/tools/{+ref}'({ params: { ref } }) {
        const tool = listed.find(each => each.ref === ref)
        if (tool === undefined) throw new AppError('tool-not-found', `"${ref}" is not in this test`)
        const uiSchema = forms[tool.name]
        return {
          ...tool,
          inputSchema: tool.inputSchema ?? {},
          schemaHash: ref,
          ...(uiSchema && { uiSchema }),
        }
      },
      async 'GET /api/diff'({ query: { a, b, strict } }) {
        const [before, after] = [getDiffSide(a), getDiffSide(b)]
        const report = await diffManifests(before, after, { ...rulesOptions(rules), strict: strict === '1' })
        return { a: { label: a, side: before }, b: { label: b, side: after }, report, rules }
      },
      ...handlers,
    },
    {
      async *'POST /api/invocations'({ body: { ref, inputText = '', options } }): AsyncGenerator<CallEvent> {
        const startedAt = new Date(0).toISOString()
        const valid: Validation = { verdict: 'valid', issues: [] }
        yield { type: 'started', id: '1', ref, startedAt, inputText, timeoutMs: 1_000 }
        yield { type: 'input-validation', validation: valid }
        const timing = { startedAt, durationMs: 1 }
        if (failure) {
          yield { type: 'failure', timing, validation: valid, ...failure }
          return
        }
        const ending = {
          content: [],
          validation: valid,
          ...answer?.(JSON.parse(inputText), options?.timeoutMs),
        }
        yield { type: 'result', timing, ...ending }
      },
      ...lineHandlers,
    },
  )
}
