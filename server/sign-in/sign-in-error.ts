/** Why a sign-in did not succeed, in words. */
import {
  AuthorizationServerMismatchError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client'
import { AppError, messageOf } from '../../core/errors.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { shown } from '../fetch/fetch-address.ts'

const maxCharacters = 400

/** AppError `sign-in-failed`; what an authorization server said is one plain, bounded line of it. */
export function signInError(thrown: unknown, server: URL): AppError {
  if (thrown instanceof AppError) return thrown
  const failed = (what: string, hint?: string) =>
    new AppError('sign-in-failed', `${shown(server)}: ${shorten(plainLine(what), maxCharacters)}`, {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
    })
  // What came with such an answer may be an attacker's: nothing of it is shown.
  if (thrown instanceof IssuerMismatchError || thrown instanceof AuthorizationServerMismatchError)
    return failed(
      'the answer does not come from the authorization server that was asked',
      'Nothing was kept. If this happens again, the server or its authorization server is set up wrong, or somebody interferes.',
    )
  if (thrown instanceof RegistrationRejectedError || /dynamic client registration/i.test(messageOf(thrown)))
    return failed(
      `its authorization server does not register new clients: ${messageOf(thrown)}`,
      'Register Toolscope there by hand, and give its "clientId" under "signIn" of this server in toolscope.json.',
    )
  if (thrown instanceof OAuthError && thrown.code === 'access_denied')
    return failed('the sign-in was declined', 'Sign in again when you are ready.')
  if (thrown instanceof OAuthError)
    return failed(`the authorization server answered ${thrown.code}: ${thrown.message}`)
  return failed(messageOf(thrown))
}
