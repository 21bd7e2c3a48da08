import type { RowPage, ToolDetail, ToolPage } from '../../core/api/catalog.ts'
import type { Contract } from '../../core/api/contract.ts'
import type { AnswerOf } from '../../core/api/endpoint.ts'
import type { ExampleList, SavedExample } from '../../core/api/examples.ts'
import type { PromptAnswer } from '../../core/api/prompt.ts'
import type { ScriptList } from '../../core/api/scripts.ts'
import type { SourceList, SourceState } from '../../core/api/sources.ts'
import type { DiffAnswer, VersionList } from '../../core/api/versions.ts'
import type { CallEvent, Validation } from '../../core/call/invocation.ts'
import { AppError } from '../../core/errors.ts'
import type { ExampleOutcome } from '../../core/example/outcome.ts'
import type { LintSummary } from '../../core/lint/summary.ts'
import type { CommandAnswer } from '../../core/script/protocol.ts'
import type { Backend, RowsQuery } from './backend.ts'
import { httpHistory } from './history.ts'
import { listenToEvents } from './live-events.ts'
import { parseLines, readText } from './ndjson.ts'
import { getJson, post, postJson, sendJson } from './request.ts'

function rowsPath(query: RowsQuery): string {
  const params = new URLSearchParams({ offset: String(query.offset), limit: String(query.limit) })
  if (query.q) params.set('q', query.q)
  if (query.sources.length > 0) params.set('source', query.sources.join(','))
  if (query.filters.length > 0) params.set('filter', query.filters.join(','))
  if (query.find !== undefined) params.set('find', query.find)
  if (query.collapsed.length > 0) params.set('collapsed', JSON.stringify(query.collapsed))
  return `/api/rows?${params}`
}

/** @param part what comes after the source's name */
function sourcePath(name: string, part: string): string {
  return `/api/sources/${encodeURIComponent(name)}/${part}`
}

/** The server that serves this page, over the routes of core/api.ts. */
export const httpBackend: Backend = {
  async sources(signal) {
    const answer = await getJson<SourceList>('/api/sources', signal)
    return answer.sources
  },
  rows: (query, signal) => getJson<RowPage>(rowsPath(query), signal),
  searchTools: (q, limit, signal) =>
    getJson<ToolPage>(`/api/tools?${new URLSearchParams({ q, limit: String(limit) })}`, signal),
  tool: (ref, signal) => getJson<ToolDetail>(`/api/tools/${encodeURIComponent(ref)}`, signal),
  openSource: input => postJson<SourceState>('/api/sources', { input }),
  async exampleSources(signal) {
    const answer = await getJson<SourceList>('/api/sources', signal)
    return answer.examples
  },
  openManifest: (name, text) => postJson<SourceState>('/api/manifests', { name, text }),
  refreshSource: name => postJson<SourceState>(sourcePath(name, 'refresh'), {}),
  restartSource: name => postJson<SourceState>(sourcePath(name, 'restart'), {}),
  stopSource: name => postJson<SourceState>(sourcePath(name, 'stop'), {}),
  async sourceLog(name, signal) {
    const answer = await getJson<{ text: string }>(sourcePath(name, 'log'), signal)
    return answer.text
  },
  async agents(signal) {
    const answer = await getJson<AnswerOf<Contract['GET /api/agents']>>('/api/agents', signal)
    return answer.agents
  },
  validate: (ref, inputText, signal) => postJson<Validation>('/api/validate', { ref, inputText }, signal),
  examples: (ref, signal) => getJson<ExampleList>(`/api/examples?${new URLSearchParams({ ref })}`, signal),
  saveExample: (ref, text) => sendJson<SavedExample>('PUT', '/api/examples', { ref, text }),
  removeExample: (ref, name) =>
    sendJson<ExampleList>('DELETE', `/api/examples?${new URLSearchParams({ ref, name })}`),
  runExample: (ref, name) => postJson<ExampleOutcome>('/api/examples/run', { ref, name }),
  diff: (a, b, signal) => getJson<DiffAnswer>(`/api/diff?${new URLSearchParams({ a, b })}`, signal),
  prompt: (query, signal) => postJson<PromptAnswer>('/api/prompt', query, signal),
  promptText: async query => (await post('/api/prompt/text', query)).text(),
  lint: (query, signal) => postJson<LintSummary>('/api/lint', query, signal),
  sourceVersions: (name, limit, signal) =>
    getJson<VersionList>(sourcePath(name, `versions?limit=${limit}`), signal),
  toolVersions: (ref, limit, signal) =>
    getJson<VersionList>(`/api/tools/${encodeURIComponent(ref)}/versions?limit=${limit}`, signal),
  setLabel: (source, version, label) =>
    sendJson<VersionList>(
      'PUT',
      sourcePath(source, `versions/${version}/labels/${encodeURIComponent(label)}`),
    ),
  removeLabel: (source, label) =>
    sendJson<VersionList>('DELETE', sourcePath(source, `labels/${encodeURIComponent(label)}`)),
  async *call(request, signal) {
    const response = await post('/api/invocations', request, signal)
    if (!response.body) throw new AppError('internal', 'The server answered without a body.')
    for await (const line of parseLines(readText(response.body))) yield line as CallEvent
  },
  async consoleCommands(signal) {
    const answer = await getJson<AnswerOf<Contract['GET /api/commands']>>('/api/commands', signal)
    return answer.commands
  },
  scriptHelp: (name, words) => postJson<CommandAnswer>('/api/commands/help', { name, words }),
  savedScripts: signal => getJson<ScriptList>('/api/scripts', signal),
  saveScript: (name, text) => sendJson<ScriptList>('PUT', scriptPath(name), { text }),
  deleteScript: name => sendJson<ScriptList>('DELETE', scriptPath(name)),
  history: httpHistory,
  listen: listenToEvents,
}

function scriptPath(name: string): string {
  return `/api/scripts/${encodeURIComponent(name)}`
}
