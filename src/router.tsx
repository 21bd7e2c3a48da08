import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  type RouterHistory,
} from '@tanstack/react-router'
import { parseDiffPlace } from './features/diff/diff-place.ts'
import { parseHistoryPlace } from './features/history/history-place.ts'
import { parsePlace, parseSearch, stringifySearch } from './place.ts'
import { Shell } from './shell/shell.tsx'
import { WorkbenchPage } from './shell/workbench-page.tsx'

const root = createRootRoute({
  component: Shell,
  // Every state is in the search parameters; any other path is an old or mistyped link.
  notFoundComponent: () => <Navigate to="/" replace />,
})

const workbench = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: parsePlace,
  component: WorkbenchPage,
})

const diff = createRoute({
  getParentRoute: () => root,
  path: '/diff',
  validateSearch: parseDiffPlace,
  component: lazyRouteComponent(() => import('./shell/diff-route.tsx'), 'DiffRoute'),
})

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: parseHistoryPlace,
  component: lazyRouteComponent(() => import('./shell/history-route.tsx'), 'HistoryRoute'),
})

/** @param place where the place is kept; the browser's address bar unless given */
export function createPageRouter(place?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([workbench, diff, history]),
    parseSearch,
    stringifySearch,
    scrollRestoration: false,
    ...(place ? { history: place } : {}),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
