import type { Logs } from '../../../core/tool/call-state.ts'
import type { Ending } from '../../../core/tool/invocation.ts'
import { joinTextBlocks, startsLikeJson } from '../../../core/tool/result-value.ts'
import { looksLikeMarkdown } from '../../ui/markdown-check.ts'
import type { Tab } from '../../ui/tabs.tsx'
import { readResultJson } from './exact-value.ts'
import type { InvocationState } from './invocation-state.ts'
import { texts } from './texts.ts'

export type ViewId = 'tree' | 'table' | 'content' | 'markdown' | 'text' | 'raw' | 'envelope'

/** Rows that are checked to be objects. */
const sampleRows = 50

/** Returns the list of objects that a table can show: the value itself, or its only list of objects. */
export function findTableRows(value: unknown): readonly Record<string, unknown>[] | undefined {
  if (isTable(value)) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const lists = Object.values(value).filter(isTable)
  return lists.length === 1 ? lists[0] : undefined
}

function isTable(value: unknown): value is Record<string, unknown>[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value
    .slice(0, sampleRows)
    .every(row => typeof row === 'object' && row !== null && !Array.isArray(row))
}

function isSameAsStructured(text: string, ending: Ending): boolean {
  if (text.trim() === ending.raw?.trim()) return true
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(ending.structuredContent)
  } catch {
    return false
  }
}

/** Returns whether the value is an object around one text, which is also the result's own text: `{content: "…"}`. */
function isOnlyText(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = Object.values(value)
  return members.length === 1 && text !== '' && members[0] === text
}

/** Returns the server's complete result as JSON: the content blocks and the other fields. */
export function formatEnvelope({ content, structuredContent, isError, meta }: Ending): string {
  return JSON.stringify({ content, structuredContent, isError, _meta: meta }, null, 2)
}

/** Returns the views that fit a result, the best one first. Empty if the result is empty. */
export function pickViews(ending: Ending): ViewId[] {
  const { structuredContent, raw, content } = ending
  const views: ViewId[] = []
  const text = joinTextBlocks(ending)
  const structured = structuredContent !== undefined
  const scalar = typeof structuredContent !== 'object' || structuredContent === null
  const value = readResultJson(ending)
  const plain = typeof structuredContent === 'string' ? structuredContent : text
  const isRepeated = structured && isOnlyText(structuredContent, plain)
  if (isRepeated) views.push(looksLikeMarkdown(plain) ? 'markdown' : 'text')
  if (content.length > 1 || content.some(block => block.type !== 'text' || block.role !== undefined))
    views.push('content')
  if (value !== undefined) views.push('tree')
  if (findTableRows(value)) views.push('table')
  // The text block of a structured result often repeats its JSON: then it gets no tab.
  const ownText = plain !== '' && !(structured && !scalar && isSameAsStructured(text, ending))
  if (ownText && looksLikeMarkdown(plain) && !startsLikeJson(plain)) views.push('markdown')
  // Only this view shows the annotations.
  if (content.some(({ annotations }) => annotations !== undefined)) views.push('content')
  if (ownText && (!structured || typeof structuredContent === 'string' || !isSameAsStructured(text, ending)))
    views.push('text')
  if (raw !== undefined && raw !== '' && (structured || raw !== text)) views.push('raw')
  if ((content.length > 0 && raw?.trim() !== text.trim()) || ending.meta?.error !== undefined)
    views.push('envelope')
  return [...new Set(views)]
}

export type ResultTab = ViewId | 'app' | 'questions' | 'logs' | 'sent'

const labels: Record<ResultTab, string> = {
  app: 'App',
  tree: 'Tree',
  table: 'Table',
  content: 'Content',
  markdown: 'Markdown',
  text: 'Text',
  raw: 'Raw',
  envelope: texts.envelope,
  questions: 'Questions',
  logs: texts.logs,
  sent: 'Sent',
}

/**
 * Returns the tabs that fit a call, the default one first.
 *
 * @param hasApp whether the tool has an app, which is shown before its result
 */
export function resultTabs(invocation: InvocationState, hasApp = false): Tab<ResultTab>[] {
  const views = invocation.ending ? pickViews(invocation.ending) : []
  const counts: Partial<Record<ResultTab, number>> = {
    questions: invocation.questions.length,
    logs: countLines(invocation.logs),
  }
  const questionTabs: ResultTab[] = invocation.questions.length > 0 ? ['questions'] : []
  const appTabs: ResultTab[] = hasApp ? ['app'] : []
  const ids: ResultTab[] = [...appTabs, ...views, ...questionTabs, 'logs', 'sent']
  return ids.map(id => ({ id, label: labels[id], count: counts[id] || undefined }))
}

function countLines(logs: Logs): number {
  let lines = 0
  for (const { text } of logs.chunks) {
    for (const line of text.split('\n')) if (line.trim() !== '') lines += 1
  }
  return lines
}
