/**
 * Compares two references by the rules of toolscope.json. It never starts a program, because the URL may be a link from
 * an attacker. Where sources cannot be opened, it reads only what belongs to the sources.
 */
import { mayOpenSources, type ServerMode } from '../../../core/api/rights.ts'
import { type DiffAnswer, diffEndpoints, type GivenSide } from '../../../core/api/versions.ts'
import type { TeamRules } from '../../../core/diff/team-rules.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { SourceContext } from '../../sources/source.ts'
import type { CompareSides } from '../../versions/diff-service.ts'
import type { KnownSnapshots } from '../../versions/find-snapshot.ts'
import { readManifestFile, readReference } from '../../versions/read-reference.ts'
import { serve } from '../serve-endpoints.ts'

export const diffRoutes = (
  catalog: Catalog,
  context: SourceContext,
  versions: KnownSnapshots,
  compare: CompareSides,
  readRules: () => Promise<TeamRules>,
  mode: ServerMode,
) => {
  const scope = mayOpenSources(mode) ? 'files' : 'sources'
  const answer = async (a: GivenSide, b: GivenSide, strict = false, signal: AbortSignal) => {
    const options = { catalog, context, versions, signal, scope } as const
    const read = async (given: GivenSide): Promise<DiffAnswer['a']> => {
      const { problems: _, ...side } =
        'text' in given
          ? readManifestFile(given.name, given.text)
          : await readReference(given.reference, options)
      return side
    }
    const [before, after, rules] = await Promise.all([read(a), read(b), readRules()])
    return compare(before, after, { strict, rules, signal })
  }
  return serve(diffEndpoints, {
    'GET /api/diff': ({ query: { a, b, strict }, signal }) =>
      answer({ reference: a }, { reference: b }, strict, signal),
    'POST /api/diff': ({ body: { a, b, strict }, signal }) => answer(a, b, strict, signal),
  })
}
