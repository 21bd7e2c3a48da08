import { createMemoryHistory } from '@tanstack/react-router'
import { onTestFinished } from 'vitest'
import type { Backend } from '../api/backend.ts'
import { startPage } from '../shell/start-page.tsx'

/**
 * Draws the real page over `backend` in the test's own document, at an address such as `/?tool=desk/greet`, until the
 * test is finished. Returns the address bar: its current path and search.
 */
export function openPage(backend: Backend, address: string): () => string {
  localStorage.clear()
  sessionStorage.clear()
  const element = document.createElement('div')
  element.id = 'root'
  document.body.append(element)
  const history = createMemoryHistory({ initialEntries: [address] })
  const close = startPage(backend, history)
  onTestFinished(() => {
    close()
    element.remove()
  })
  return () => history.location.href
}
