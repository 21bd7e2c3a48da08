import { lazy, Suspense } from 'react'
import { useSources } from '../api/use-sources.ts'
import { AgentLinks } from '../features/agents/agent-links.tsx'
import { PinSection } from '../features/pins/pin-section.tsx'
import { SourcePage } from '../features/sources/source-page.tsx'
import { ServerOffers } from '../features/tool/server-offers.tsx'
import { SourceVersions } from '../features/versions/timeline.tsx'
import { EmptyState } from '../ui/notes.tsx'
import { useTryInput } from './open-call.ts'

const SourceScores = lazy(async () => ({
  default: (await import('../features/generated-tests/source-scores.tsx')).SourceScores,
}))

/** The page of a source, next to the catalog. */
export function AboutSource({ name }: { readonly name: string }) {
  const { data: sources } = useSources()
  const tryInput = useTryInput()
  const source = sources?.find(each => each.name === name)
  if (source)
    return (
      <SourcePage key={name} source={source} approval={<PinSection source={name} />}>
        <ServerOffers source={source} />
        <AgentLinks source={name} />
        <Suspense>
          <SourceScores source={source} onTry={tryInput} />
        </Suspense>
        <SourceVersions key={name} source={name} />
      </SourcePage>
    )
  return sources ? (
    <EmptyState title={`No source “${name}”`}>It may have been closed or renamed.</EmptyState>
  ) : null
}
