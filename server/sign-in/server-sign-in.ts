/** The sign-in at one remote MCP server: adds the token to its requests, renews it, and starts and ends a sign-in. */
import {
  AuthorizationServerMismatchError,
  type AuthProvider,
  auth,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { SignInConfig } from '../../core/api/source-entry.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { runWithLimit } from '../process/run-with-limit.ts'
import { checkSignInAddress, signInFetch } from './sign-in-fetch.ts'
import { SignInFlow } from './sign-in-flow.ts'
import type { SignInRecord, SignIns, SourceSignIn } from './sign-ins.ts'

/** The revocation of tokens is not worth a longer wait. */
const revokeTimeoutMs = 5_000
const maxScopeCharacters = 300

type Unauthorized = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0]

/** The server's reasons for refusing a request. */
interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined
  readonly scope?: string | undefined
  /**
   * Servers of 2025-03-26 send no other details: the sign-in endpoints are then at default paths of their own origin.
   */
  readonly wantsBearer?: boolean
  /** The token is valid but grants too little: it must be replaced, not renewed. */
  readonly wantsMore?: boolean
}

export class ServerSignIn implements AuthProvider, SourceSignIn {
  private readonly server: URL
  private readonly key: string
  private readonly config: SignInConfig
  private readonly signIns: SignIns
  private readonly fetch
  private record: SignInRecord | undefined
  /** The previous record: running calls may still use its token. */
  private lastRecord: SignInRecord | undefined
  private challenge: Challenge = {}
  private needed = false
  private begun = 0
  /** The token of each refused request. */
  private readonly refused = new WeakMap<Response, string>()

  constructor(server: URL, config: SignInConfig, signIns: SignIns) {
    this.server = server
    this.key = `${server.origin}${server.pathname}${server.search}`
    this.config = config
    this.signIns = signIns
    this.fetch = signInFetch(server)
  }

  /** See `SourceAbout.signIn`. */
  get state(): 'needed' | 'done' | undefined {
    if (this.needed) return 'needed'
    return this.record === undefined ? undefined : 'done'
  }

  /** Values that must not appear in logs, errors or history. */
  get secrets(): string[] {
    const values = [this.record, this.lastRecord].flatMap(record => [
      record?.tokens.access_token,
      record?.tokens.refresh_token,
      record?.tokens.id_token,
      record?.client !== undefined && 'client_secret' in record.client
        ? record.client.client_secret
        : undefined,
    ])
    values.push(this.config.clientSecret)
    return values.filter(value => value !== undefined)
  }

  async token(): Promise<string | undefined> {
    this.record = await this.signIns.read(this.key)
    return this.record?.tokens.access_token
  }

  /** Called with each answer of the server before the SDK handles it. @param authorization the header of the request */
  sawAnswer(answer: Response, authorization: string | null): void {
    if (answer.status === 401) this.refused.set(answer, authorization?.replace(/^Bearer /i, '') ?? '')
    if (answer.status !== 403) return
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(answer)
    if (error !== 'insufficient_scope') return
    const had = this.record?.tokens.scope ?? this.record?.scope
    this.challenge = { resourceMetadataUrl, scope: computeScopeUnion(had, scope), wantsMore: true }
    this.needed = true
  }

  /** Renews the refused token. Throws AppError `sign-in-needed`, and UnauthorizedError if no sign-in is offered. */
  async onUnauthorized({ response }: Unauthorized): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
    const wantsBearer = /\bbearer\b/i.test(response.headers.get('www-authenticate') ?? '')
    this.challenge = { resourceMetadataUrl, scope, wantsBearer }
    const token = this.refused.get(response) ?? ''
    this.needed = true
    await this.signIns.once(this.key, () => this.renew(token))
    this.needed = false
  }

  async start(redirectUrl: string, onEnd: (error?: AppError) => unknown): Promise<string | undefined> {
    const record = await this.signIns.read(this.key)
    let finish = async (_answer: URLSearchParams) => {}
    const state = this.signIns.pending.create(answer => finish(answer))
    const { resourceMetadataUrl, scope, wantsMore = false } = this.challenge
    // A client may be registered only for the scope of its first sign-in, and after a failed sign-in the server may no
    // longer know it.
    const reuse = this.begun === 0 && !wantsMore
    this.begun += 1
    const flow = this.flow(reuse ? record : record && { ...record, client: undefined }, redirectUrl, state)
    finish = async answer => {
      try {
        await this.transport(flow).finishAuth(answer)
      } catch (thrown) {
        const error = signInError(thrown, this.server)
        await onEnd(error)
        throw error
      }
      await onEnd()
    }
    try {
      const how = { serverUrl: this.server, fetchFn: this.fetch, forceReauthorization: wantsMore }
      await auth(flow, {
        ...how,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope && { scope }),
      })
    } catch (thrown) {
      this.signIns.pending.use(state)
      throw signInError(thrown, this.server)
    }
    if (flow.authorizationUrl !== undefined) return flow.authorizationUrl.href
    this.signIns.pending.use(state)
    await onEnd()
    return undefined
  }

  async end(): Promise<void> {
    const record = await this.signIns.read(this.key)
    await this.signIns.remove(this.key)
    this.record = undefined
    if (record !== undefined) await this.revoke(record).catch(() => {})
  }

  /** Returns the error of a request that failed for lack of a sign-in; undefined if it failed for another reason. */
  errorOf(thrown: unknown): AppError | undefined {
    if (thrown instanceof AppError && thrown.code === 'sign-in-needed') return thrown
    if (thrown instanceof SdkHttpError && thrown.status === 401) {
      this.needed = true
      return this.need('wants you to sign in again: it refuses the renewed token')
    }
    if (!(thrown instanceof InsufficientScopeError)) return undefined
    const scope = shorten(plainLine(thrown.requiredScope ?? ''), maxScopeCharacters)
    return this.need(`wants more rights than you have given it${scope === '' ? '' : `: ${scope}`}`, {
      hint: 'Sign in again to give them; the call was not made.',
    })
  }

  private async renew(refused: string): Promise<void> {
    const record = await this.signIns.read(this.key)
    this.record = record
    if (record === undefined) {
      if (!(await this.isOffered())) {
        this.needed = false
        throw new UnauthorizedError()
      }
      throw this.need('wants you to sign in')
    }
    // Another request, or another Toolscope, has renewed it in the meantime.
    if (record.tokens.access_token !== refused) return
    const ended = () => this.need('wants you to sign in again: the last sign-in has ended')
    if (record.tokens.refresh_token === undefined) throw ended()
    const { resourceMetadataUrl } = this.challenge
    const flow = this.flow(record, record.redirectUrl)
    try {
      const how = { serverUrl: this.server, fetchFn: this.fetch }
      await auth(flow, { ...how, ...(resourceMetadataUrl && { resourceMetadataUrl }) })
    } catch {
      const latest = await this.signIns.read(this.key)
      // Another Toolscope was faster: its refresh made ours invalid.
      if (latest !== undefined && latest.tokens.access_token !== refused) return
      throw ended()
    }
  }

  private need(what: string, options: { readonly hint?: string } = {}): AppError {
    return new AppError('sign-in-needed', `${hideAddressSecrets(this.server)} ${what}`, options)
  }

  /** Whether the server asks for a token, or names an authorization server. */
  private async isOffered(): Promise<boolean> {
    if (this.challenge.wantsBearer === true || this.config.clientId !== undefined) return true
    const found = await Promise.allSettled([
      discoverOAuthProtectedResourceMetadata(this.server, {}, this.fetch),
      discoverAuthorizationServerMetadata(this.server.origin, { fetchFn: this.fetch }),
    ])
    return found.some(each => each.status === 'fulfilled' && each.value !== undefined)
  }

  private flow(record: SignInRecord | undefined, redirectUrl: string, state?: string): SignInFlow {
    return new SignInFlow({
      config: this.config,
      record,
      redirectUrl,
      ...(state === undefined ? {} : { state }),
      check: address => checkSignInAddress(address, this.server),
      save: async saved => {
        this.lastRecord = this.record
        this.record = saved
        await this.signIns.write(this.key, saved)
      },
    })
  }

  /** Used only for its `finishAuth`, which checks `iss` before it reads anything else. */
  private transport(flow: SignInFlow) {
    return new StreamableHTTPClientTransport(this.server, { authProvider: flow, fetch: this.fetch })
  }

  private async revoke({ tokens, client, revocationUrl }: SignInRecord): Promise<void> {
    const { clientId, clientSecret } = this.config
    const owner = clientId === undefined ? client : { client_id: clientId, client_secret: clientSecret }
    if (revocationUrl === undefined || owner === undefined) return
    const secret = 'client_secret' in owner ? owner.client_secret : undefined
    const login = `${encodeURIComponent(owner.client_id)}:${encodeURIComponent(secret ?? '')}`
    const basic = `Basic ${Buffer.from(login).toString('base64')}`
    for (const token of [tokens.refresh_token, tokens.access_token]) {
      if (token === undefined) continue
      const body = new URLSearchParams({ token })
      if (secret === undefined) body.set('client_id', owner.client_id)
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        ...(secret === undefined ? {} : { authorization: basic }),
      }
      await runWithLimit([], revokeTimeoutMs, signal =>
        this.fetch(revocationUrl, { method: 'POST', body, headers, signal }),
      )
    }
  }
}

/* Describes why a sign-in did not succeed. */

const maxCharacters = 400

/** Returns AppError `sign-in-failed`. The authorization server's message becomes one plain line of limited length. */
function signInError(thrown: unknown, server: URL): AppError {
  if (thrown instanceof AppError) return thrown
  const failed = (what: string, hint?: string) =>
    new AppError(
      'sign-in-failed',
      `${hideAddressSecrets(server)}: ${shorten(plainLine(what), maxCharacters)}`,
      {
        cause: thrown,
        ...(hint === undefined ? {} : { hint }),
      },
    )
  // The content of such an answer may be an attacker's: nothing of it is shown.
  if (thrown instanceof IssuerMismatchError || thrown instanceof AuthorizationServerMismatchError)
    return failed(
      'the answer does not come from the authorization server that was asked',
      'Nothing was kept. If this happens again, the server or its authorization server is set up wrong, or somebody interferes.',
    )
  if (
    thrown instanceof RegistrationRejectedError ||
    /dynamic client registration/i.test(toErrorMessage(thrown))
  )
    return failed(
      `its authorization server does not register new clients: ${toErrorMessage(thrown)}`,
      'Register Toolscope there by hand, and give its "clientId" under "signIn" of this server in toolscope.json.',
    )
  if (thrown instanceof OAuthError && thrown.code === 'access_denied')
    return failed('the sign-in was declined', 'Sign in again when you are ready.')
  if (thrown instanceof OAuthError)
    return failed(`the authorization server answered ${thrown.code}: ${thrown.message}`)
  return failed(toErrorMessage(thrown))
}
