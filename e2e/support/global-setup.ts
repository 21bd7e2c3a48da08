/** Before all journeys: what they need besides the browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIsCurrent } from '../../scripts/build-state.mjs'
import { installIncur } from '../../scripts/incur-fixture.mjs'

export default function setup(): () => void {
  if (!buildIsCurrent())
    throw new Error('dist/ is missing or older than the sources. Run `npm run build` first.')
  installIncur()
  // Programs that tests start must not write into the user's own history.
  const data = mkdtempSync(join(tmpdir(), 'toolscope-data-'))
  process.env.TOOLSCOPE_DATA_DIR = data
  return () => rmSync(data, { recursive: true, force: true })
}
