/** The user's sign-ins at remote servers: their records, encrypted in the store, and the sign-ins in progress. */
import { createHash } from 'node:crypto'
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { type AppError, toErrorMessage } from '../../core/errors.ts'
import { hasSecretBox, openSecretBox, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import { OneTimeCodes } from './one-time-codes.ts'

/** How long the browser may take to return from the authorization server. */
export const signInLifetimeMs = 10 * 60_000

/** The stored part of a sign-in. Tokens and client contain the issuer that gave them. */
export interface SignInRecord {
  readonly tokens: StoredOAuthTokens
  /** The client that the tokens were given to; absent if it is in the configuration. */
  readonly client?: StoredOAuthClientInformation | undefined
  /** The redirect address that this client was registered with. */
  readonly redirectUrl: string
  /** The requested scope. */
  readonly scope?: string | undefined
  /** The authorization server's endpoint for revoking tokens. */
  readonly revocationUrl?: string | undefined
}

/** The sign-in of a source at its server's authorization server. */
export interface SourceSignIn {
  /**
   * Starts a sign-in that returns to `redirectUrl`. Resolves with the address to open in a browser; undefined if the
   * sign-in was renewed without one. `onEnd` is called at the end, with the error if it failed. Throws AppError
   * `sign-in-failed`.
   */
  start(redirectUrl: string, onEnd: (error?: AppError) => unknown): Promise<string | undefined>
  /** Removes the tokens here and, if the authorization server supports that, there. */
  end(): Promise<void>
}

/** Takes the parameters that the authorization server adds to the redirect. Rejects if the sign-in failed. */
export type FinishSignIn = (answer: URLSearchParams) => Promise<void>

export interface SignInsOptions {
  readonly environment: NodeJS.ProcessEnv
  readonly databaseUrl?: string | undefined
  readonly say: (line: string) => void
}

export class SignIns {
  /** Sign-ins that wait for the browser, by their `state`. */
  readonly pending = new OneTimeCodes<FinishSignIn>(signInLifetimeMs)
  private readonly options: SignInsOptions
  /** The records that were last read or written, which are used while the store does not work. */
  private readonly known = new Map<string, SignInRecord>()
  private readonly running = new Map<string, Promise<unknown>>()
  private box: SecretBox | undefined
  private given: Store | Promise<Store> | undefined
  private opened: Promise<Store> | undefined

  constructor(options: SignInsOptions) {
    this.options = options
  }

  /** Sets the store to use from now on; without one, a store is opened when a sign-in is first needed. */
  setStore(store: Store | Promise<Store>): void {
    this.given = store
  }

  /** @param server the address of the server: tokens are only used for this server */
  async read(server: string): Promise<SignInRecord | undefined> {
    try {
      // No sign-in was ever stored, so the store need not be opened.
      if (this.box === undefined && !hasSecretBox(this.options.environment)) return this.known.get(server)
      const id = hashServer(server)
      const row = await (await this.database())
        .selectFrom('sign_ins')
        .select('body')
        .where('id', '=', id)
        .executeTakeFirst()
      const text = row && this.openBox().open(row.body, id)
      // Only `write` can have encrypted it.
      if (text) this.known.set(server, JSON.parse(text) as SignInRecord)
      else this.known.delete(server)
    } catch {
      // The store reports its own errors.
    }
    return this.known.get(server)
  }

  /** Never rejects: if the store does not work, the sign-in lasts until the program ends, and stderr says so. */
  async write(server: string, record: SignInRecord): Promise<void> {
    this.known.set(server, record)
    try {
      const id = hashServer(server)
      const body = this.openBox().seal(JSON.stringify(record), id)
      await (await this.database())
        .insertInto('sign_ins')
        .values({ id, body })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ body }))
        .execute()
    } catch (thrown) {
      this.options.say(`The sign-in is kept until Toolscope ends, and no longer: ${toErrorMessage(thrown)}`)
    }
  }

  /** Rejects with AppError `store-failed` if the tokens could not be removed. */
  async remove(server: string): Promise<void> {
    this.known.delete(server)
    if (hasSecretBox(this.options.environment))
      await (await this.database()).deleteFrom('sign_ins').where('id', '=', hashServer(server)).execute()
  }

  /** Runs `work`, or waits for the running one of this server: a refresh token can only be used once. */
  async once(server: string, work: () => Promise<void>): Promise<void> {
    const running = this.running.get(server) ?? work().finally(() => this.running.delete(server))
    this.running.set(server, running)
    await running
  }

  async close(): Promise<void> {
    await (await this.opened)?.close()
  }

  private openBox(): SecretBox {
    this.box ??= openSecretBox(this.options.environment)
    return this.box
  }

  private async database() {
    if (this.given !== undefined) return (await this.given).database()
    this.opened ??= import('../store/open-store.ts').then(({ openStore }) => openStore(this.options))
    return (await this.opened).database()
  }
}

/** Hashed, because the address may contain a secret. */
const hashServer = (server: string) => createHash('sha256').update(server).digest('hex')
