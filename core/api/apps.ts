/** Apps of tools (MCP Apps): opens one in its own frame, and reads the resources of its server for it. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { type AppPermission, appPermissionNames } from '../tool/tool-app.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'

const permission = z.enum(appPermissionNames as [AppPermission, ...AppPermission[]])

const openedApp = z.object({
  /** The address of the frame, for one request within a minute. */
  frameUrl: z.string(),
  /** The origin of the frame: no other sends messages of the app. */
  origin: z.string(),
  uri: z.string(),
  /** Size of its HTML, in bytes. */
  bytes: z.number(),
  /** The Content-Security-Policy that the browser enforces. */
  policy: z.string(),
  /** The declared domains that it may use, by the list of its resource. */
  domains: z.record(z.string(), z.array(z.string()).readonly()),
  /** The declared domains that are not allowed. */
  refused: list(z.object({ domain: z.string(), reason: z.string() })),
  /** The permissions that it asks for, and those of them that it has. */
  declared: list(permission),
  granted: list(permission),
  /** Whether it asks for a border; absent if it does not say. */
  prefersBorder: z.boolean().exactOptional(),
  /** The version of Toolscope, which the app receives. */
  version: z.string(),
})
export type OpenedApp = z.infer<typeof openedApp>

const ref = z.string()

export const appEndpoints = defineEndpoints({
  'POST /api/apps': audited({
    right: 'call',
    about: 'Reads the app of a tool (MCP Apps) and prepares its frame, on another port than the page',
    /** `permissions`: those that the user grants to the source. */
    body: z.object({ ref, permissions: z.array(permission).max(10).default([]) }),
    target: ({ body }) =>
      joinTarget(body.ref, body.permissions.length > 0 && `permissions=${body.permissions.join()}`),
    answer: openedApp,
  }),
  'POST /api/apps/resources': audited({
    right: 'call',
    about: 'Reads a resource for the app of a tool, from the server of the tool',
    body: z.object({ ref, uri: z.string().min(1).max(2_000) }),
    target: ({ body }) => joinTarget(body.ref, body.uri),
    /** MCP's `contents`, as the server sent them. */
    answer: z.object({ contents: list(z.unknown()) }),
  }),
})
