/** Monaco for JSON only: the editor, the few contributions that a JSON text needs, and their workers. */
import 'monaco-editor/editor/contrib/bracketMatching/browser/bracketMatching.js'
import 'monaco-editor/editor/contrib/clipboard/browser/clipboard.js'
import 'monaco-editor/editor/contrib/find/browser/findController.js'
import 'monaco-editor/editor/contrib/folding/browser/folding.js'
import 'monaco-editor/editor/contrib/format/browser/formatActions.js'
import 'monaco-editor/editor/contrib/hover/browser/hoverContribution.js'
import 'monaco-editor/editor/contrib/linesOperations/browser/linesOperations.js'
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js'
import 'monaco-editor/editor/contrib/wordOperations/browser/wordOperations.js'
import * as monaco from 'monaco-editor/editor/editor.api.js'
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import JsonWorker from 'monaco-editor/language/json/json.worker.js?worker'
import { jsonDefaults } from 'monaco-editor/language/json/monaco.contribution.js'
import type { JsonSchema } from '../../../core/tool/tool.ts'

self.MonacoEnvironment = {
  getWorker: (_workerId, label) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
}

const schemas = new Map<string, JsonSchema>()

/** Sets the schema for completion and markers of one model; nothing is fetched. `undefined` removes it. */
export function setModelSchema(modelUri: string, schema: JsonSchema | undefined): void {
  if (schema === undefined) schemas.delete(modelUri)
  else schemas.set(modelUri, schema)
  jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    enableSchemaRequest: false,
    schemas: [...schemas].map(([uri, known]) => ({ uri: `schema:${uri}`, fileMatch: [uri], schema: known })),
  })
}

export { monaco }
