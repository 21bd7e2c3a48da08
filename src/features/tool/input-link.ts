/** A link that opens a tool with an input. The fragment holds the draft, so no server receives it. */
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { type DraftContent, decodeDraft, encodeDraft } from './use-draft.ts'

const name = 'input='
/** Mail programs and chats cut longer addresses. */
const maxCharacters = 8_000

/**
 * Returns the fragment for a draft without secrets: `input=` and base64url, which programs pass on unchanged. Undefined
 * if the link would be too long.
 */
export function toInputFragment(draft: DraftContent): string | undefined {
  const bytes = new TextEncoder().encode(encodeDraft(draft))
  if (bytes.length > maxCharacters) return undefined
  const text = btoa(String.fromCharCode(...bytes))
  return name + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns the draft in a fragment; undefined if the fragment has no draft, or a damaged one. */
export function readInputFragment(fragment: string): DraftContent | undefined {
  if (!fragment.startsWith(name)) return undefined
  try {
    const binary = atob(fragment.slice(name.length).replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, character => character.charCodeAt(0))
    return decodeDraft(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** Calls `load` with the input of the link that opened the page, and removes it from the address bar. */
export function useLinkedInput(load: (linked: DraftContent) => void): void {
  const router = useRouter()
  const fragment = useRouterState({ select: state => state.location.hash })
  const take = useEffectEvent(() => {
    const linked = readInputFragment(fragment)
    if (linked === undefined) return
    load(linked)
    const { pathname, search } = router.state.location
    void router.navigate({ to: pathname, search, hash: '', replace: true })
  })
  useEffect(() => {
    if (fragment !== '') take()
  }, [fragment])
}
