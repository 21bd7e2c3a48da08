/** Before all journeys: what they need besides the browser. */
import { buildIsCurrent } from '../../scripts/build-state.mjs'
import { installIncur } from '../../scripts/incur-fixture.mjs'

export default function setup(): void {
  if (!buildIsCurrent())
    throw new Error('dist/ is missing or older than the sources. Run `npm run build` first.')
  installIncur()
}
