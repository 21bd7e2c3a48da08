import './styles/main.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BackendContext } from './api/backend.ts'
import { httpBackend } from './api/http-backend.ts'
import { createQueryClient } from './api/queries.ts'
import { router } from './router.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')

createRoot(element).render(
  <StrictMode>
    <BackendContext value={httpBackend}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider delayDuration={400}>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>
  </StrictMode>,
)
