/** The page that the authorization server redirects the browser to. It shows how the sign-in ended. */
import { Hono } from 'hono'
import { html } from 'hono/html'
import { toAppError } from '../../core/errors.ts'
import type { SignIns } from './sign-ins.ts'

export const callbackPath = '/sign-in/callback'

/** The `state` in the address authorizes the request, once. */
export function callbackRoute({ pending }: SignIns): Hono {
  return new Hono().get(callbackPath, async context => {
    const { searchParams } = new URL(context.req.url)
    const finish = pending.use(searchParams.get('state') ?? '')
    if (finish === undefined)
      return context.html(
        page('This sign-in is over', 'It was used already, or it took too long. Sign in again.'),
        400,
      )
    try {
      await finish(searchParams)
    } catch (thrown) {
      const { title, detail, hint } = toAppError(thrown).toShape()
      return context.html(page(title, `${detail}. ${hint}`), 502)
    }
    return context.html(page('You are signed in', 'You can close this window; Toolscope continues.'))
  })
}

const page = (title: string, text: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Toolscope</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1rem }
h1 { font-size: 1.25rem }
</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>`
