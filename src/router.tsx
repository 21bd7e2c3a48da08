import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router'
import { parsePlace, parseSearch, stringifySearch } from './place.ts'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  // Every state is in the search parameters; any other path is an old or mistyped link to the one page.
  notFoundComponent: () => <Navigate to="/" replace />,
})

const workbench = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: parsePlace,
  component: Shell,
})

export const router = createRouter({
  routeTree: root.addChildren([workbench]),
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
