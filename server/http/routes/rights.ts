/** The rights that this server refuses to the client: the page shows why a control is disabled. */
import { contract } from '../../../core/api/contract.ts'
import { rightEndpoints } from '../../../core/api/rights.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { describeRefusal } from '../gate.ts'
import { serve } from '../serve-endpoints.ts'

export const rightRoutes = () =>
  serve(rightEndpoints, {
    'GET /api/rights': ({ context }) => {
      const refused = Object.entries(contract).flatMap(([key, { right }]) => {
        const reason = describeRefusal({ key, right }, context)
        return reason === undefined ? [] : [[key, reason] as const]
      })
      const person = context.get('person')
      return {
        refused: Object.fromEntries(refused),
        ...(person && {
          person: withoutUndefined({
            name: person.name,
            rights: person.rights,
            sources: person.sources,
          }),
        }),
      }
    },
  })
