import type { CopyContext } from './copy-context.ts'

/** The body of `POST /api/invocations`. The input stays as it is written: our server reads its digits. */
export function invocationBodyText({ tool, input, variables }: CopyContext): string {
  const options = Object.keys(variables).length === 0 ? '' : `,"options":${JSON.stringify({ variables })}`
  return `{"ref":${JSON.stringify(tool.ref)},"input":${input}${options}}`
}
