/** Returns an error as an answer: JSON for programs, a small HTML page if a browser asked for one. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { type AppError, type AppErrorShape, errorText, toAppError } from '../../core/errors.ts'

/** By request, because an application inside another one has a context of its own. */
const answeredErrors = new WeakMap<Request, AppError>()

/** Returns the error that a request was answered with. */
export const readAnsweredError = ({ req }: Context): AppError | undefined => answeredErrors.get(req.raw)

export function errorAnswer(context: Context, thrown: unknown): Response {
  const error = toAppError(thrown)
  answeredErrors.set(context.req.raw, error)
  const shape = error.toShape()
  const { status } = errorText(error.code)
  if (error.retryAfterS !== undefined) context.header('Retry-After', String(error.retryAfterS))
  const wantsPage =
    !context.req.path.startsWith('/api/') && (context.req.header('accept') ?? '').includes('text/html')
  if (error.code === 'draining') context.header('Retry-After', '1')
  if (!wantsPage) return context.json({ error: shape }, status)
  return context.html(String(page(shape)), status)
}

/** The `html` helper escapes every inserted value: text of the request cannot become markup. */
const page = ({ title, detail, hint }: AppErrorShape) => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · Toolscope</title>
      <style>
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto; padding: 0 1rem; }
        h1 { font-size: 1.3rem; }
        p:last-child { color: light-dark(#5c6470, #9aa3b2); }
      </style>
    </head>
    <body>
      <h1>${title}</h1>
      <p>${hint.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}</p>
      <p>${detail}</p>
    </body>
  </html>`
