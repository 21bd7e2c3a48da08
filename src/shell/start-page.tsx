import '../ui/tokens.css'
import '../ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type RouterHistory, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type Backend, BackendContext } from '../api/backend.ts'
import { createQueryClient } from '../api/queries.ts'
import { TooltipHost } from '../ui/tooltip.tsx'
import { createPageRouter } from './router.tsx'

/** Renders the page with its data from `backend`. Returns a function that unmounts it. */
export function startPage(backend: Backend, history?: RouterHistory): () => void {
  const element = document.getElementById('root')
  if (!element) throw new Error('index.html has no #root')
  const root = createRoot(element)
  root.render(
    <StrictMode>
      <BackendContext value={backend}>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={createPageRouter(history)} />
          <TooltipHost />
        </QueryClientProvider>
      </BackendContext>
    </StrictMode>,
  )
  return () => root.unmount()
}
