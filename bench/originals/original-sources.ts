/** Opens sources as the program does, for comparisons. */

import { withSortedKeys } from '../../core/json/equality.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { detectSource } from '../../server/recognise/detect-source.ts'
import type { Session } from '../../server/sources/source.ts'

const neverAborted = () => new AbortController().signal

/** Opens a source, passes it on and closes it. Starts the program or server that the words name. */
export async function withSource<Result>(
  argument: string | readonly string[],
  use: (session: Session, tools: readonly ManifestTool[]) => Promise<Result>,
): Promise<Result> {
  const context = { directory: process.cwd(), environment: process.env }
  const session = await (await detectSource(argument, context)).open(context)
  try {
    return await use(session, (await session.manifest(neverAborted())).tools)
  } finally {
    await session.close()
  }
}

/** Returns how a call ended. */
export async function callToEnd(
  session: Session,
  tool: ManifestTool,
  text: string,
): Promise<SessionEvent | undefined> {
  let last: SessionEvent | undefined
  const options = { signal: neverAborted(), timeoutMs: 30_000 }
  for await (const event of session.call?.(tool, { text, value: parse(text) }, options) ?? []) last = event
  return last
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns names and input schemas, which every list has. */
export const toComparableList = (
  tools: readonly { readonly name: string; readonly inputSchema?: unknown }[],
) => tools.map(({ name, inputSchema }) => withSortedKeys({ name, inputSchema }))
