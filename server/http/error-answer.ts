/** An error as an answer: JSON for programs, a small plain page where a browser asked for one. */
import type { Context } from 'hono'
import { errorText, toAppError } from '../../core/errors.ts'

export function errorAnswer(context: Context, thrown: unknown): Response {
  const error = toAppError(thrown)
  const shape = error.toShape()
  const { status } = errorText(error.code)
  const wantsPage =
    !context.req.path.startsWith('/api/') && (context.req.header('accept') ?? '').includes('text/html')
  if (!wantsPage) return context.json({ error: shape }, status)
  // Plain text: nothing of the request can become markup.
  return context.text(`Toolscope\n\n${shape.title}: ${shape.detail}\n\n${shape.hint}\n`, status)
}
