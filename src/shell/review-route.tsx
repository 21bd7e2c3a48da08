import { ReviewPage } from '../features/pins/review-page.tsx'
import { useOpenTool } from './open-call.ts'

/** The page at `/review`, with links to the workbench. */
export function ReviewRoute() {
  return <ReviewPage onOpen={useOpenTool()} />
}
