import type { Ending } from '../../../core/call/invocation.ts'
import { looksLikeMarkdown } from '../../ui/markdown-check.ts'

export type ViewId = 'tree' | 'table' | 'content' | 'markdown' | 'text' | 'raw'

/** Rows a table looks at to find its columns, and objects it wants at least. */
const tableSample = 50

/** The list of objects that a table can show: the value itself, or its only list of objects. */
export function tableRowsOf(value: unknown): readonly Record<string, unknown>[] | undefined {
  if (isTable(value)) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const lists = Object.values(value).filter(isTable)
  return lists.length === 1 ? lists[0] : undefined
}

function isTable(value: unknown): value is Record<string, unknown>[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value
    .slice(0, tableSample)
    .every(row => typeof row === 'object' && row !== null && !Array.isArray(row))
}

/** All text blocks of a result, joined. */
export function textOf(ending: Ending): string {
  return ending.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

function saysTheSame(text: string, ending: Ending): boolean {
  if (text.trim() === ending.raw?.trim()) return true
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(ending.structuredContent)
  } catch {
    return false
  }
}

/** The views that fit a result, the best one first. Empty when nothing came back. */
export function pickViews(ending: Ending): ViewId[] {
  const { structuredContent, raw, content } = ending
  const views: ViewId[] = []
  const text = textOf(ending)
  const structured = structuredContent !== undefined
  const scalar = typeof structuredContent !== 'object' || structuredContent === null
  if (content.some(block => block.type !== 'text')) views.push('content')
  if (structured) views.push('tree')
  if (structured && tableRowsOf(structuredContent)) views.push('table')
  const plain = typeof structuredContent === 'string' ? structuredContent : text
  // A structured result's text block is the same JSON again; what only repeats gets no tab.
  const ownText = plain !== '' && !(structured && !scalar && saysTheSame(text, ending))
  if (ownText && looksLikeMarkdown(plain) && !startsLikeJson(plain)) views.push('markdown')
  if (ownText && (!structured || typeof structuredContent === 'string' || !saysTheSame(text, ending)))
    views.push('text')
  if (raw !== undefined && raw !== '' && (structured || raw !== text)) views.push('raw')
  return views
}

function startsLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
