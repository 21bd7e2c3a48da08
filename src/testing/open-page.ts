import { createMemoryHistory } from '@tanstack/react-router'
import { expect, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Backend } from '../api/backend.ts'
import { startPage } from '../shell/start-page.tsx'
import { toasts } from '../ui/toasts.ts'

/**
 * Renders the real page over `backend` in the test's document, at an address such as `/?tool=desk/greet`, until the
 * test is finished. A console message of React or the page fails the test. Returns a function that reads the current
 * path and search.
 */
export function openPage(backend: Backend, address: string): () => string {
  localStorage.clear()
  sessionStorage.clear()
  // The stores outlive the page, so toasts of an earlier test must be removed.
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

/** The alert of the page. Monaco keeps empty ones in the document, also after the test that loaded it. */
export const pageAlert = () => page.getByRole('alert').filter({ hasText: /./ })
