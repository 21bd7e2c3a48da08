import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  type RouteComponent,
  type RouterHistory,
  useRouterState,
} from '@tanstack/react-router'
import { useBackend } from '../api/backend.ts'
import { parseConsoleSearch } from '../features/console/console-search.ts'
import { parseDiffSearch } from '../features/diff/diff-search.ts'
import { parseCompareSearch } from '../features/examples/compare-search.ts'
import { parseHistorySearch } from '../features/history/history-search.ts'
import { parseReviewSearch } from '../features/pins/review-search.ts'
import { parsePromptSearch } from '../features/prompt/prompt-search.ts'
import { parseChangelogSearch } from '../features/versions/changelog-search.ts'
import { parseWireSearch } from '../features/wire/wire-search.ts'
import { parseSearch, parseWorkbenchSearch, stringifySearch } from '../navigation.ts'
import { EmptyState } from '../ui/notes.tsx'
import { useTitle } from '../ui/use-title.ts'
import { pages } from './page-links.tsx'
import { Shell } from './shell.tsx'
import { WorkbenchPage } from './workbench.tsx'

/** The page for an unknown address, such as an old link. It lists the pages that exist. */
function UnknownAddress() {
  const backend = useBackend()
  const path = useRouterState({ select: state => state.location.pathname })
  useTitle('Unknown address')
  const offered = [{ to: '/', label: 'Tools' } as const, ...pages.filter(page => backend.has(page.needs))]
  return (
    <>
      <h1 className="visually-hidden">Unknown address</h1>
      <EmptyState
        title={`No page at ${path.slice(0, 200)}`}
        actions={offered.map(({ to, label }) => (
          <Link key={to} to={to} className="link">
            {label}
          </Link>
        ))}
      >
        The link may be old or mistyped.
      </EmptyState>
    </>
  )
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: UnknownAddress,
})

function route<const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  component: RouteComponent,
) {
  return createRoute({ getParentRoute: () => root, path, validateSearch, component })
}

const diffPage = lazyRouteComponent(() => import('./diff-route.tsx'), 'DiffRoute')
const historyPage = lazyRouteComponent(() => import('./history-route.tsx'), 'HistoryRoute')
const wirePage = lazyRouteComponent(() => import('./wire-route.tsx'), 'WireRoute')
const consolePage = lazyRouteComponent(() => import('./console-route.tsx'), 'ConsoleRoute')
const sourcesPage = lazyRouteComponent(() => import('../features/sources/sources-page.tsx'), 'SourcesPage')
const comparePage = lazyRouteComponent(() => import('../features/examples/compare-page.tsx'), 'ComparePage')
const changelogPage = lazyRouteComponent(
  () => import('../features/versions/changelog-page.tsx'),
  'ChangelogPage',
)
const reviewPage = lazyRouteComponent(() => import('./review-route.tsx'), 'ReviewRoute')
const promptPage = lazyRouteComponent(() => import('../features/prompt/prompt-page.tsx'), 'PromptPage')

const routes = root.addChildren([
  route('/', parseWorkbenchSearch, WorkbenchPage),
  route('/diff', parseDiffSearch, diffPage),
  route('/review', parseReviewSearch, reviewPage),
  route('/changelog', parseChangelogSearch, changelogPage),
  route('/history', parseHistorySearch, historyPage),
  route('/wire', parseWireSearch, wirePage),
  route('/compare', parseCompareSearch, comparePage),
  route('/sources', () => ({}), sourcesPage),
  route('/prompt', parsePromptSearch, promptPage),
  route('/console', parseConsoleSearch, consolePage),
])

/** @param history defaults to the browser's address bar */
export function createPageRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: routes,
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
