import type { Recipe } from './copy-context.ts'
import { invocationBodyText } from './invocation-body.ts'

/** A call through our API in TypeScript, for Node. The body is text, so that big numbers keep their digits. */
export const fetchTypescript: Recipe =
  context => `const response = await fetch(${JSON.stringify(`${context.origin}/api/invocations`)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.TOOLSCOPE_TOKEN}\`,
    'content-type': 'application/json',
  },
  body: ${JSON.stringify(invocationBodyText(context))},
})
if (!response.ok) throw new Error(await response.text())
// One event a line; the last is the result, or the failure.
const events = (await response.text()).trim().split('\\n').map(line => JSON.parse(line))
console.log(events.at(-1))
`
