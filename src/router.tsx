import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from '@tanstack/react-router'
import { parseConsolePlace } from './features/console/console-place.ts'
import { parseDiffPlace } from './features/diff/diff-place.ts'
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

const console = createRoute({
  getParentRoute: () => root,
  path: '/console',
  validateSearch: parseConsolePlace,
  component: lazyRouteComponent(() => import('./shell/console-route.tsx'), 'ConsoleRoute'),
})

export const router = createRouter({
  routeTree: root.addChildren([workbench, diff, console]),
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
