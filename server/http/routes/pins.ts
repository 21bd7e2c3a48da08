/** Pins over HTTP: what is approved of each source, what differs, and the approval of what was shown. */
import { pinEndpoints } from '../../../core/api/pins.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Pins } from '../../pins/source-pins.ts'
import { serve } from '../serve-endpoints.ts'

// Imported late: most pages never open a review.
const approval = () => import('../../pins/approve-pin.ts')

/** @param catalog the sources that the user may know of */
export function pinRoutes({ sources }: Pick<Catalog, 'sources'>, pins: Pins) {
  const listVisible = async () => {
    const { listPins } = await approval()
    const all = await listPins(pins)
    const isLimited = sources !== pins.parts.catalog.sources
    const visible = all.sources.filter(({ source }) => sources.find(source) !== undefined)
    return isLimited ? { ...all, sources: visible, unused: [] } : all
  }
  return serve(pinEndpoints, {
    'GET /api/pins': listVisible,
    'GET /api/sources/{name}/pin': async ({ params }) =>
      (await approval()).reviewPin(pins, sources.get(params.name).name),
    'PUT /api/sources/{name}/pin': async ({ params, body, context }) => {
      const { approvePin, reviewPin } = await approval()
      const { name } = sources.get(params.name)
      await approvePin(pins, name, body, context.get('person')?.name)
      return reviewPin(pins, name)
    },
    'DELETE /api/sources/{name}/pin': async ({ params }) => {
      await (await approval()).removePin(pins, params.name)
      return listVisible()
    },
  })
}
