/** The user's sign-ins at remote servers: what is kept of each, sealed in the store, and those that are under way. */
import { createHash } from 'node:crypto'
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { type AppError, messageOf } from '../../core/errors.ts'
import { hasSecretBox, openSecretBox, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import { OneTimeCodes } from './one-time-codes.ts'

/** How long the browser may take to come back from the authorization server. */
export const signInLifetimeMs = 10 * 60_000

/** What is kept of a sign-in. Tokens and client carry the issuer that gave them. */
export interface SignInRecord {
  readonly tokens: StoredOAuthTokens
  /** The client that the tokens were given to; absent where the configuration names it. */
  readonly client?: StoredOAuthClientInformation | undefined
  /** Where this client was registered to come back to. */
  readonly redirectUrl: string
  /** The scope that was asked for. */
  readonly scope?: string | undefined
  /** Where the authorization server takes tokens back. */
  readonly revocationUrl?: string | undefined
}

/** The sign-in of a source at its server's authorization server. */
export interface SourceSignIn {
  /**
   * Begins a sign-in that comes back to `redirectUrl`. Resolves with the address to open in a browser; undefined where the
   * sign-in was renewed without one. `onEnd` is called when it has ended, with the error where it failed. Throws AppError
   * `sign-in-failed`.
   */
  start(redirectUrl: string, onEnd: (error?: AppError) => unknown): Promise<string | undefined>
  /** Removes the tokens here and, where the authorization server offers that, there. */
  end(): Promise<void>
}

/** Takes the parameters that the authorization server sends the browser back with. Rejects where the sign-in failed. */
export type FinishSignIn = (answer: URLSearchParams) => Promise<void>

export interface SignInsOptions {
  readonly environment: NodeJS.ProcessEnv
  readonly databaseUrl?: string | undefined
  readonly say: (line: string) => void
}

export class SignIns {
  /** Sign-ins that wait for the browser, by the `state` that they were begun with. */
  readonly pending = new OneTimeCodes<FinishSignIn>(signInLifetimeMs)
  private readonly options: SignInsOptions
  /** What was read or written last: what counts while the store does not work. */
  private readonly known = new Map<string, SignInRecord>()
  private readonly running = new Map<string, Promise<unknown>>()
  private box: SecretBox | undefined
  private given: Store | Promise<Store> | undefined
  private opened: Promise<Store> | undefined

  constructor(options: SignInsOptions) {
    this.options = options
  }

  /** Uses this store from now on; without one, a store is opened when a sign-in is first needed. */
  setStore(store: Store | Promise<Store>): void {
    this.given = store
  }

  /** @param server the address of the server: tokens are never used for another one */
  async read(server: string): Promise<SignInRecord | undefined> {
    try {
      // Nobody has ever signed in: the store need not be opened.
      if (this.box === undefined && !hasSecretBox(this.options.environment)) return this.known.get(server)
      const id = idOf(server)
      const row = await (await this.database())
        .selectFrom('sign_ins')
        .select('body')
        .where('id', '=', id)
        .executeTakeFirst()
      const text = row && this.openBox().open(row.body, id)
      // Nobody but `write` can have sealed it.
      if (text) this.known.set(server, JSON.parse(text) as SignInRecord)
      else this.known.delete(server)
    } catch {
      // The store says itself that it does not work.
    }
    return this.known.get(server)
  }

  /** Never rejects: where the store does not work, the sign-in lasts until the program ends, and stderr says so. */
  async write(server: string, record: SignInRecord): Promise<void> {
    this.known.set(server, record)
    try {
      const id = idOf(server)
      const body = this.openBox().seal(JSON.stringify(record), id)
      await (await this.database())
        .insertInto('sign_ins')
        .values({ id, body })
        .onConflict(conflict => conflict.column('id').doUpdateSet({ body }))
        .execute()
    } catch (thrown) {
      this.options.say(`The sign-in is kept until Toolscope ends, and no longer: ${messageOf(thrown)}`)
    }
  }

  /** Rejects with AppError `store-failed` where the tokens could not be removed. */
  async remove(server: string): Promise<void> {
    this.known.delete(server)
    if (hasSecretBox(this.options.environment))
      await (await this.database()).deleteFrom('sign_ins').where('id', '=', idOf(server)).execute()
  }

  /** Runs `work` unless the same is running for this server: a refresh token may be used once. */
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

/** The address may hold a secret. */
const idOf = (server: string) => createHash('sha256').update(server).digest('hex')
