/** Signs in at remote servers from a terminal: prints the URL, opens it, and waits for the browser's callback. */
import { setTimeout } from 'node:timers/promises'
import { AppError, toAppError } from '../../core/errors.ts'
import type { SourceConnection } from '../catalog/source-connection.ts'
import { listenAt, openBrowser } from '../http/listen.ts'
import { callbackPath, callbackRoute } from '../sign-in/callback-route.ts'
import { type SignIns, signInLifetimeMs } from '../sign-in/sign-ins.ts'
import type { CommandContext } from './command.ts'
import { printError } from './command.ts'

const loopbackHost = '127.0.0.1'
const tooLate = new AppError('sign-in-failed', 'the sign-in was not finished within ten minutes')

/**
 * Signs in if the source requires it and there is a terminal, and opens the source again. If it fails, stderr reports
 * the reason and the source still requires a sign-in.
 *
 * @returns whether the user is signed in now
 */
export async function signInAt(
  connection: SourceConnection,
  signIns: SignIns,
  { ask, say, signal }: CommandContext,
): Promise<boolean> {
  const { signIn } = connection.session ?? {}
  // Without a terminal, there is no user at a browser either.
  if (signIn === undefined || ask === undefined) return false
  const { server, url } = await listenAt(callbackRoute(signIns), loopbackHost, 0)
  try {
    let end: (error?: AppError) => void = () => {}
    const ended = new Promise<AppError | undefined>(resolve => {
      end = resolve
    })
    const address = await signIn.start(`${url}${callbackPath}`, end)
    if (address !== undefined) {
      say(`${connection.name} wants you to sign in. Open this address in a browser of this machine:`)
      say(address)
      await openBrowser(address, true)
    }
    const late = setTimeout(signInLifetimeMs, tooLate, {
      signal,
      ref: false,
    })
    const error = await Promise.race([ended, late])
    if (error !== undefined) throw error
    await connection.restart('opened')
    say(`Signed in to ${connection.name}.`)
    return true
  } catch (thrown) {
    signal.throwIfAborted()
    printError(toAppError(thrown), { say })
    return false
  } finally {
    // Only idle connections are closed, because the browser is still loading the result page.
    server.close()
    server.closeIdleConnections()
  }
}
