import { Link, useRouterState } from '@tanstack/react-router'
import { useBackend } from '../api/backend.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useTitle } from '../ui/use-title.ts'
import { pages } from './page-links.tsx'
import { texts } from './texts.ts'

/** Where no page is: an old or mistyped link. Says so, and links to the pages that there are. */
export function UnknownAddress() {
  const backend = useBackend()
  const path = useRouterState({ select: state => state.location.pathname })
  useTitle(texts.unknownAddress)
  const offered = [{ to: '/', label: texts.tools } as const, ...pages.filter(page => backend.has(page.needs))]
  return (
    <>
      <h1 className="visually-hidden">{texts.unknownAddress}</h1>
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
