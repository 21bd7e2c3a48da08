/**
 * `toolscope token`: prints the token of a server that runs on this machine, for lines that call its API. The server
 * proves first that it knows the token, because another program may have its port; the token is not sent.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject } from '../../core/json/json.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { usualPort } from '../http/listen.ts'
import { proveToken, tokenToSend } from '../http/token.ts'
import { runWithLimit } from '../process/run-with-limit.ts'
import { defineCommand, fields } from './command.ts'

/** Milliseconds until a server that does not answer counts as stopped. */
const maxWaitMs = 5_000

export const token = defineCommand({
  name: 'token',
  description: 'Print the token of a running server of this machine, to call its API. Starts nothing.',
  input: z.object({
    address: z
      .string()
      .default(`http://127.0.0.1:${usualPort}`)
      .describe(`Address of the server; default http://127.0.0.1:${usualPort}.`),
    tokenFile: fields.tokenFile,
  }),
  positionals: ['address'],
  output: z.object({ address: z.string(), token: z.string() }),
  examples: [
    [
      `curl -H "Authorization: Bearer $(toolscope token)" http://127.0.0.1:${usualPort}/api/sources`,
      'the sources of the page, by its API',
    ],
    ['toolscope token http://127.0.0.1:9000', 'the token of a server on another port'],
  ],
  exitCodes: {
    0: 'the token is on stdout, and the server has proved that it knows it',
    2: 'the address is not on this machine, or the server has another token',
    3: 'no server answers',
  },

  async run(input, context) {
    const origin = toOrigin(input.address)
    const token = await tokenToSend(input, context)
    const nonce = randomBytes(24).toString('base64url')
    const { answer, body } = await runWithLimit([context.signal], maxWaitMs, async signal => {
      const answer = await fetch(`${origin}/api/health?nonce=${nonce}`, { redirect: 'error', signal })
      const body: unknown = await answer.json().catch(() => undefined)
      return { answer, body }
    }).catch((thrown: unknown) => {
      context.signal.throwIfAborted()
      throw new AppError('server-not-running', `no server answers at ${origin}: ${toErrorMessage(thrown)}`)
    })
    if (!answer.ok || !isObject(body) || typeof body.proof !== 'string')
      throw new AppError(
        'server-not-running',
        `what answers at ${origin} is not Toolscope (HTTP ${answer.status})`,
      )
    const port = Number(new URL(origin).port || 80)
    if (token !== undefined && body.proof === proveToken({ token, port }, nonce))
      return { output: { address: origin, token } }
    throw new AppError('usage', `the server at ${origin} has another token`, {
      hint: 'Use the TOOLSCOPE_TOKEN, the --token-file FILE or the TOOLSCOPE_DATA_DIR that it was started with.',
    })
  },

  print(output, context) {
    context.write(`${output.token}\n`)
  },
})

/** Throws AppError `usage` for an address of another machine, which must not receive the token. */
function toOrigin(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) return url.origin
  throw new AppError('usage', `${address} is not the address of a server on this machine`, {
    hint: `Name it as its ready line does, such as http://127.0.0.1:${usualPort}.`,
  })
}
