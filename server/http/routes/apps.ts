/** Apps of tools over HTTP: opens an app, and reads resources for it. */
import { appEndpoints } from '../../../core/api/apps.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Pins } from '../../pins/source-pins.ts'
import type { AppSandbox } from '../app-sandbox.ts'
import { serve } from '../serve-endpoints.ts'

// Imported late, because most servers open no app.
const apps = () => import('../open-app.ts')

export const appRoutes = (catalog: Catalog, pins: Pins, sandbox: AppSandbox) =>
  serve(appEndpoints, {
    'POST /api/apps': async ({ body, signal, context: { req } }) =>
      (await apps()).openApp({ catalog, pins, sandbox }, body, {
        host: req.header('host'),
        origin: req.header('origin'),
        signal,
      }),
    'POST /api/apps/resources': async ({ body: { ref, uri }, signal }) => ({
      contents: await (await apps()).readAppResource({ catalog, pins }, ref, uri, signal),
    }),
  })
