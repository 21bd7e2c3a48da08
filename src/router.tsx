import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  type RouterHistory,
} from '@tanstack/react-router'
import { parseConsoleSearch } from './features/console/console-search.ts'
import { parseDiffSearch } from './features/diff/diff-search.ts'
import { parseHistorySearch } from './features/history/history-search.ts'
import { parsePromptSearch } from './features/prompt/prompt-search.ts'
import { parseSearch, parseWorkbenchSearch, stringifySearch } from './navigation.ts'
import { Shell } from './shell/shell.tsx'
import { WorkbenchPage } from './shell/workbench.tsx'

const root = createRootRoute({
  component: Shell,
  // Every state is in the search parameters; any other path is an old or mistyped link.
  notFoundComponent: () => <Navigate to="/" replace />,
})

const workbench = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: parseWorkbenchSearch,
  component: WorkbenchPage,
})

const diff = createRoute({
  getParentRoute: () => root,
  path: '/diff',
  validateSearch: parseDiffSearch,
  component: lazyRouteComponent(() => import('./shell/diff-route.tsx'), 'DiffRoute'),
})

const historyPage = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: parseHistorySearch,
  component: lazyRouteComponent(() => import('./shell/history-route.tsx'), 'HistoryRoute'),
})

const console = createRoute({
  getParentRoute: () => root,
  path: '/console',
  validateSearch: parseConsoleSearch,
  component: lazyRouteComponent(() => import('./shell/console-route.tsx'), 'ConsoleRoute'),
})

const prompt = createRoute({
  getParentRoute: () => root,
  path: '/prompt',
  validateSearch: parsePromptSearch,
  component: lazyRouteComponent(() => import('./features/prompt/prompt-page.tsx'), 'PromptPage'),
})

/** @param history where the place is kept; the browser's address bar unless given */
export function createPageRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([workbench, diff, historyPage, prompt, console]),
    parseSearch,
    stringifySearch,
    scrollRestoration: false,
    ...(history ? { history } : {}),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
