import { createMemoryHistory } from '@tanstack/react-router'
import { expect, onTestFinished, vi } from 'vitest'
import type { Backend } from '../api/backend.ts'
import { startPage } from '../shell/start-page.tsx'
import { toasts } from '../ui/toasts.ts'

/**
 * Draws the real page over `backend` in the test's own document, at an address such as `/?tool=desk/greet`, until the
 * test is finished. What React or the page complains of on the console fails the test. Returns the address bar: its
 * current path and search.
 */
export function openPage(backend: Backend, address: string): () => string {
  localStorage.clear()
  sessionStorage.clear()
  // Messages of the page outlive it, as all stores do.
  toasts.set([])
  const element = document.createElement('div')
  element.id = 'root'
  document.body.append(element)
  const history = createMemoryHistory({ initialEntries: [address] })
  const complaints = vi.spyOn(console, 'error')
  const close = startPage(backend, history)
  onTestFinished(() => {
    close()
    element.remove()
    const texts = complaints.mock.calls.map(([text]) => String(text))
    complaints.mockRestore()
    expect(texts).toEqual([])
  })
  return () => history.location.href
}
