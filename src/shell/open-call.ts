import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ToolDetail } from '../../core/api/catalog.ts'
import type { StoredInvocation } from '../../core/api/history.ts'
import type { SourceState } from '../../core/api/sources.ts'
import { useBackend } from '../api/backend.ts'
import { storedCallQuery } from '../api/history.ts'
import { sourcesQuery, toolQuery } from '../api/queries.ts'
import { earlierInvocation } from '../features/result/invocation-state.ts'
import { showStoredCall } from '../features/result/invocation-store.ts'
import { type DraftContent, replaceDraft } from '../features/tool/use-draft.ts'
import { useWorkbenchNavigate } from '../navigation.ts'
import { showDone, showNotice } from '../ui/toasts.ts'

/** Writes an input into the form of a tool; the user can restore the previous one. */
export function fillForm(tool: ToolDetail, content: DraftContent, message: string): void {
  const before = replaceDraft(tool, content)
  if (before.text.trim() !== '' && before.text !== content.text)
    showDone(message, () => replaceDraft(tool, before))
}

/** Returns a function that opens a tool, with or without an input of a report in its form. It calls nothing. */
export function useOpenTool() {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  return useCallback(
    async (ref: string, inputText?: string) => {
      if (inputText !== undefined) {
        const tool = await client.fetchQuery(toolQuery(backend, ref))
        fillForm(tool, { text: inputText }, `The input that shows the change replaced yours in ${tool.name}.`)
      }
      go({ tool: ref, tab: undefined, about: undefined })
    },
    [backend, client, go],
  )
}

/** Returns a tool's reference and source under the current name of the source. */
export function toPresentNames(
  { ref, source }: { readonly ref: string; readonly source: string },
  sources: readonly SourceState[],
): { readonly ref: string; readonly source: string } {
  if (sources.some(({ name }) => name === source)) return { ref, source }
  const renamed = sources.find(({ formerNames = [] }) => formerNames.includes(source))
  if (renamed === undefined) return { ref, source }
  return { ref: renamed.name + ref.slice(source.length), source: renamed.name }
}

/** Returns a function that writes an input into the form of a tool, and opens the form. */
export function useTryInput() {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  const openForm = async (ref: string, text: string) => {
    const tool = await client.fetchQuery(toolQuery(backend, ref))
    fillForm(tool, { text }, `The input of that finding replaced yours in ${tool.name}.`)
    go({ tool: ref, tab: undefined, about: undefined })
  }
  return (ref: string, text: string) =>
    void openForm(ref, text).catch(() => showNotice(`${ref} could not be opened. Try again.`))
}

/** Returns a function that writes the input of a stored call into its tool's form and resolves to the current tool. */
export function useFillForm() {
  const backend = useBackend()
  const client = useQueryClient()
  return async (call: StoredInvocation) => {
    const { sources } = await client.fetchQuery(sourcesQuery(backend))
    const tool = await client.fetchQuery(toolQuery(backend, toPresentNames(call, sources).ref))
    const { inputText: text, secretMarker } = call
    fillForm(tool, { text, secretMarker }, `The input of that call replaced yours in ${tool.name}.`)
    return tool
  }
}

/**
 * Returns a function that opens a call's tool with the call's input in the form and its result. A call of a tool that
 * is not in the catalog opens in the history.
 */
export function useOpenCall() {
  const backend = useBackend()
  const client = useQueryClient()
  const navigate = useNavigate()
  const go = useWorkbenchNavigate()
  const fillForm = useFillForm()
  return async ({ id }: { readonly id: string }) => {
    try {
      const call = await client.fetchQuery(storedCallQuery(backend, id))
      const { ref } = await fillForm(call)
      const earlier = earlierInvocation(call)
      if (earlier) showStoredCall(earlier)
      go({ tool: ref, tab: undefined, about: undefined })
    } catch {
      void navigate({ to: '/history', search: { call: id } })
    }
  }
}
