/** The prompt view: a set of tools in the format that an agent receives, with its token counts and lint findings. */
import { type PromptQuery, promptEndpoints } from '../../../core/api/prompt.ts'
import { defaultLintClients } from '../../../core/lint/lint-finding.ts'
import type { CountTexts } from '../../../core/prompt/fields.ts'
import { encoding, weighPrompt } from '../../../core/prompt/measure.ts'
import {
  chooseTools,
  cutPromptPreview,
  promptPartsInSteps,
  readablePrompt,
  setName,
  wireLength,
} from '../../../core/prompt/prompt.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { inSlices } from '../../workers/run-slices.ts'
import { createTokenService } from '../../workers/token-service.ts'
import { serve } from '../serve-endpoints.ts'

/** Limits of what the page receives, for texts of megabytes and lists of a hundred thousand tools. */
const maxPreviewCharacters = 200_000
const maxListedTools = 5_000

export function promptRoutes(catalog: Catalog, countTexts: CountTexts = createTokenService()) {
  return serve(promptEndpoints, {
    'POST /api/prompt': async ({ body }) => {
      const { tools, options } = chosen(catalog, body)
      const { budget } = body
      const { measure, prompt } = await weighPrompt(tools, options, countTexts, { budget, run: inSlices })
      const { text: preview, cut } = cutPromptPreview(prompt, maxPreviewCharacters)
      const matched =
        body.without.length === 0 ? tools : chooseTools(catalog.tools.search(), { ...body, without: [] })
      return {
        format: body.format,
        compact: body.compact,
        encoding: encoding.name,
        preview,
        cut,
        characters: wireLength(prompt),
        matched: matched.slice(0, maxListedTools).map(({ ref, source, name }) => ({ ref, source, name })),
        matchedCount: matched.length,
        measure: { ...measure, tools: measure.tools.slice(0, maxListedTools) },
        toolCount: tools.length,
      }
    },
    'POST /api/prompt/text': async ({ body }) => {
      const { tools, options } = chosen(catalog, body)
      return readablePrompt(await inSlices(promptPartsInSteps(tools, options)))
    },
    'POST /api/lint': async ({ body }) => {
      const [{ lintToolsInSteps }, { summarizeFindings }] = await Promise.all([
        import('../../../core/lint/lint-tools.ts'),
        import('../../../core/report/lint-report.ts'),
      ])
      const tools = chooseTools(catalog.tools.search(), body)
      const findings = await inSlices(lintToolsInSteps(tools, body.clients ?? defaultLintClients))
      return summarizeFindings(findings, tools.length)
    },
  })
}

function chosen(catalog: Catalog, query: PromptQuery) {
  const tools = chooseTools(catalog.tools.search(), query)
  const { format, compact } = query
  return { tools, options: { format, compact, set: setName(tools) } }
}
