/** The rights that this server refuses: the page shows why a control is disabled. */
import { contract } from '../../../core/api/contract.ts'
import { describeRightRefusal, rightEndpoints, type ServerMode } from '../../../core/api/rights.ts'
import { serve } from '../serve-endpoints.ts'

export function rightRoutes(mode: ServerMode) {
  const refused = Object.entries(contract).flatMap(([key, { right }]) => {
    const reason = describeRightRefusal(right, mode)
    return reason === undefined ? [] : [[key, reason] as const]
  })
  return serve(rightEndpoints, { 'GET /api/rights': () => ({ refused: Object.fromEntries(refused) }) })
}
