/** One run of the SDK's sign-in, with a browser or without one. */
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { SignInConfig } from '../../core/api/source-entry.ts'
import { AppError } from '../../core/errors.ts'
import type { SignInRecord } from './sign-ins.ts'

export interface FlowParts {
  readonly config: SignInConfig
  /** The record of the previous sign-in. */
  readonly record: SignInRecord | undefined
  readonly redirectUrl: string
  /** The `state` of a sign-in with a browser; without it, the flow only renews tokens. */
  readonly state?: string
  /** Checks an address that a browser will open. */
  readonly check: (address: URL) => URL
  readonly save: (record: SignInRecord) => Promise<void>
}

export class SignInFlow implements OAuthClientProvider {
  readonly clientMetadataUrl?: string
  /** Absent without a browser, and for a client from the configuration: then no client is registered. */
  readonly saveClientInformation?: (client: StoredOAuthClientInformation) => void
  /** The address for the browser, once the flow has reached that step. */
  authorizationUrl: URL | undefined
  private readonly parts: FlowParts
  private stored: StoredOAuthTokens | undefined
  private client: StoredOAuthClientInformation | undefined
  private discovery: OAuthDiscoveryState | undefined
  private verifier = ''

  constructor(parts: FlowParts) {
    const { config, record, redirectUrl, state } = parts
    this.parts = parts
    this.stored = record?.tokens
    // A client can only return to the address that it was registered for.
    this.client = state === undefined || record?.redirectUrl === redirectUrl ? record?.client : undefined
    if (config.clientMetadataUrl !== undefined) this.clientMetadataUrl = config.clientMetadataUrl
    if (state === undefined || config.clientId !== undefined) return
    this.saveClientInformation = client => {
      this.client = client
    }
  }

  get redirectUrl(): string {
    return this.parts.redirectUrl
  }

  get clientMetadata(): OAuthClientMetadata {
    const { redirectUrl, config } = this.parts
    return {
      client_name: 'Toolscope',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(config.scope === undefined ? {} : { scope: config.scope }),
    }
  }

  state(): string {
    return this.parts.state ?? ''
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, issuer } = this.parts.config
    if (clientId === undefined) return this.client
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(issuer === undefined ? {} : { issuer }),
    }
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.stored
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { record, redirectUrl, save } = this.parts
    // An authorization server that keeps the refresh token leaves it out.
    this.stored = { refresh_token: this.stored?.refresh_token, ...tokens }
    const metadata = this.discovery?.authorizationServerMetadata
    await save({
      tokens: this.stored,
      client: this.client,
      redirectUrl,
      scope: this.authorizationUrl?.searchParams.get('scope') ?? record?.scope,
      revocationUrl: metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined,
    })
  }

  redirectToAuthorization(url: URL): void {
    if (this.parts.state === undefined)
      throw new AppError('sign-in-needed', 'the sign-in has ended and could not be renewed')
    this.authorizationUrl = this.parts.check(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }

  codeVerifier(): string {
    return this.verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery
  }

  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (what === 'all' || what === 'tokens') this.stored = undefined
    if (what === 'all' || what === 'client') this.client = undefined
  }
}
