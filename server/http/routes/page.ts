/** The built page: compressed ahead of time, hashed files for ever, and the page itself for every other path. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { scriptWorkerPolicy } from '../security.ts'

/** `root` is the absolute folder of the built page. */
export function pageRoutes(root: string): Hono {
  const routes = new Hono()
  routes.get(
    '/assets/*',
    serveStatic({
      root,
      precompressed: true,
      onFound: (path, context) => {
        if (/[\\/]script\.worker-[\w-]+\.js(?:\.br|\.gz)?$/.test(path))
          context.header('Content-Security-Policy', scriptWorkerPolicy)
        context.header('Cache-Control', 'public, max-age=31536000, immutable')
      },
    }),
  )
  routes.get('/favicon.svg', serveStatic({ root }))
  // Every state of the page has a path of its own; the router inside it reads them.
  routes.get('*', context => {
    if (context.req.path.startsWith('/assets/')) return context.text('Not found', 404)
    return context.html(readFileSync(join(root, 'index.html'), 'utf8'))
  })
  return routes
}
