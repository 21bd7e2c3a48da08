/** Pins over HTTP: what is approved of each source, what differs, and the approval of what was shown. */
import { pinEndpoints } from '../../../core/api/pins.ts'
import type { Pins } from '../../pins/pins.ts'
import { serve } from '../serve-endpoints.ts'

// Imported late: most pages never open a review.
const approval = () => import('../../pins/approve-pin.ts')

export const pinRoutes = (pins: Pins) =>
  serve(pinEndpoints, {
    'GET /api/pins': async () => (await approval()).listPins(pins),
    'GET /api/sources/{name}/pin': async ({ params }) => (await approval()).reviewPin(pins, params.name),
    'PUT /api/sources/{name}/pin': async ({ params, body }) => {
      const { approvePin, reviewPin } = await approval()
      await approvePin(pins, params.name, body)
      return reviewPin(pins, params.name)
    },
    'DELETE /api/sources/{name}/pin': async ({ params }) => {
      const { listPins, removePin } = await approval()
      await removePin(pins, params.name)
      return listPins(pins)
    },
  })
