/** The server that serves this page, over the contract in core/api. */
import type { Backend } from './backend.ts'
import { httpHistory } from './history.ts'
import { listenToEvents } from './live-events.ts'
import { request, requestLines, requestText } from './request.ts'

export const httpBackend: Backend = {
  sources: async signal => (await request('GET /api/sources', { signal })).sources,
  rows: ({ sources, filters, collapsed, ...query }, signal) =>
    request('GET /api/rows', {
      query: {
        ...query,
        ...(sources.length > 0 && { source: sources }),
        ...(filters.length > 0 && { filter: filters }),
        ...(collapsed.length > 0 && { collapsed: JSON.stringify(collapsed) }),
      },
      signal,
    }),
  searchTools: (q, limit, signal) => request('GET /api/tools', { query: { q, limit }, signal }),
  tool: (ref, signal) => request('GET /api/tools/{+ref}', { params: { ref }, signal }),
  openSource: input => request('POST /api/sources', { body: { input } }),
  exampleSources: async signal => (await request('GET /api/sources', { signal })).examples,
  openManifest: (name, text) => request('POST /api/manifests', { body: { name, text } }),
  refreshSource: name => request('POST /api/sources/{name}/refresh', { params: { name } }),
  restartSource: name => request('POST /api/sources/{name}/restart', { params: { name } }),
  stopSource: name => request('POST /api/sources/{name}/stop', { params: { name } }),
  sourceLog: async (name, signal) =>
    (await request('GET /api/sources/{name}/log', { params: { name }, signal })).text,
  agents: async signal => (await request('GET /api/agents', { signal })).agents,
  validate: (ref, inputText, signal) => request('POST /api/validate', { body: { ref, inputText }, signal }),
  examples: (ref, signal) => request('GET /api/examples', { query: { ref }, signal }),
  saveExample: (ref, text) => request('PUT /api/examples', { body: { ref, text } }),
  removeExample: (ref, name) => request('DELETE /api/examples', { query: { ref, name } }),
  runExample: (ref, name) => request('POST /api/examples/run', { body: { ref, name } }),
  diff: (a, b, signal) => request('GET /api/diff', { query: { a, b }, signal }),
  prompt: (body, signal) => request('POST /api/prompt', { body, signal }),
  promptText: body => requestText('POST /api/prompt/text', { body }),
  lint: (body, signal) => request('POST /api/lint', { body, signal }),
  sourceVersions: (name, limit, signal) =>
    request('GET /api/sources/{name}/versions', { params: { name }, query: { limit }, signal }),
  toolVersions: (ref, limit, signal) =>
    request('GET /api/tools/{+ref}/versions', { params: { ref }, query: { limit }, signal }),
  setLabel: (name, number, label) =>
    request('PUT /api/sources/{name}/versions/{number}/labels/{label}', { params: { name, number, label } }),
  removeLabel: (name, label) =>
    request('DELETE /api/sources/{name}/labels/{label}', { params: { name, label } }),
  call: (body, signal) => requestLines('POST /api/invocations', { body, signal }),
  consoleCommands: async signal => (await request('GET /api/commands', { signal })).commands,
  scriptHelp: (name, words) => request('POST /api/commands/help', { body: { name, words } }),
  savedScripts: signal => request('GET /api/scripts', { signal }),
  saveScript: (name, text) => request('PUT /api/scripts/{name}', { params: { name }, body: { text } }),
  deleteScript: name => request('DELETE /api/scripts/{name}', { params: { name } }),
  history: httpHistory,
  listen: listenToEvents,
}
