/**
 * What an export has in the place of other parts of the page (vite.config.ts puts it there): no forms, no calls, no
 * workers. The read-only backend hides what would show the missing ones, so to reach one is a mistake.
 */
import { EmptyState } from '../ui/empty-state.tsx'

function missing(): never {
  throw new Error('An export has no forms and makes no calls')
}

export const InputEditor = missing
export const ExamplesTab = missing
export const exampleText = missing
export const defaultsText = missing

/** Nothing is judged where nothing is filled in. */
export async function problemsOf(): Promise<readonly []> {
  return []
}

/** Pages whose address somebody may still type. */
function NotHere() {
  return <EmptyState title="This page is not part of an export">An export is for reading.</EmptyState>
}

export const ConsoleRoute = NotHere
export const HistoryRoute = NotHere
export const ComparePage = NotHere
