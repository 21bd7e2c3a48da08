/** Decides which token a server requires, for serve, mcp --http and bridge. */

import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Right } from '../../core/api/endpoint.ts'
import { personRights } from '../../core/api/rights.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import type { ProxyPeople } from '../people/people.ts'
import { readOrCreateKey } from '../process/stored-key.ts'
import { dataDirectory } from '../store/location.ts'

/** A shorter token could be guessed. */
const minTokenLength = 16

export interface TokenInput {
  readonly token?: string | undefined
  readonly tokenFile?: string | undefined
  /** Replaces the token that is stored in the data directory. */
  readonly newToken?: boolean | undefined
}

export interface TokenContext {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  say(line: string): void
}

/** How a server can be reached, and its default without a token from the user. */
export interface Reach {
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean
  /** The option that makes it reachable from other machines: `--host 10.0.0.5`. */
  readonly by: string
  /** The default of a local server: the token of the data directory, a random one, or none. */
  readonly otherwise: 'kept' | 'random' | 'none'
}

/** The token that requests must carry; if it is undefined, every local program is served. */
export interface ServerToken {
  readonly token: string | undefined
  readonly isRandom: boolean
}

/**
 * Returns the user's token or the default. Throws AppError `usage` if the token is too short, its file cannot be read,
 * or a server that other machines can reach has no token from the user.
 */
export async function serverToken(
  input: TokenInput,
  { isLocal, by, otherwise }: Reach,
  context: TokenContext,
): Promise<ServerToken> {
  const token = await givenToken(input, context)
  if (token !== undefined) return { token, isRandom: false }
  if (!isLocal)
    throw new AppError('usage', `${by} serves more than this machine: that needs a token`, {
      hint: howToGive,
    })
  if (otherwise === 'none') return { token: undefined, isRandom: false }
  const stored = otherwise === 'kept' ? await readStoredToken(input.newToken === true, context) : undefined
  return { token: stored ?? randomToken(), isRandom: true }
}

/**
 * Returns the token that a local server of this user has by default: the user's, else that of the data directory;
 * undefined if no server has made one. Changes nothing. Throws AppError `usage` as `serverToken`, and if the token cannot
 * be read.
 */
export async function tokenToSend(input: TokenInput, context: TokenContext): Promise<string | undefined> {
  const path = toTokenPath(context)
  const given = await givenToken(input, context)
  if (given !== undefined || !existsSync(path)) return given
  try {
    return readOrCreateKey(path).toString('base64url')
  } catch (thrown) {
    throw new AppError('usage', `the token in ${path} cannot be used: ${toErrorMessage(thrown)}`)
  }
}

interface ProxyInput {
  readonly userHeader?: string | undefined
  readonly proxySecretFile?: string | undefined
  readonly proxySecret?: string | undefined
  readonly proxySecretHeader: string
  readonly userRights?: string | undefined
}

/**
 * Returns how a proxy signs people in; undefined if it does not. Throws AppError `usage` if a part is missing or the
 * secret is too short.
 */
export async function readProxyPeople(
  input: ProxyInput,
  context: TokenContext,
): Promise<ProxyPeople | undefined> {
  const { userHeader, proxySecretFile, proxySecret, proxySecretHeader, userRights } = input
  if (proxySecret !== undefined && proxySecretFile === undefined)
    context.say(
      'Every user of this machine can read --proxy-secret. TOOLSCOPE_PROXY_SECRET and --proxy-secret-file keep it to yourself.',
    )
  const fromFile = proxySecretFile === undefined ? undefined : await readTokenFile(proxySecretFile, context)
  const secret = fromFile ?? proxySecret ?? (context.environment.TOOLSCOPE_PROXY_SECRET || undefined)
  if (secret === undefined) {
    if (userRights === undefined) return undefined
    throw new AppError('usage', '--user-rights needs --user-header and a secret of the proxy', {
      hint: howToGiveSecret,
    })
  }
  if (userHeader === undefined)
    throw new AppError('usage', 'the secret of a proxy needs --user-header: the header that names the user')
  const rights = userRights === undefined ? undefined : parseRights(userRights, '--user-rights')
  return {
    userHeader,
    secretHeader: proxySecretHeader,
    secret: longEnough(secret, 'the secret of the proxy'),
    rights,
  }
}

const howToGiveSecret =
  'Name a file: --proxy-secret-file FILE, or set TOOLSCOPE_PROXY_SECRET. Let the proxy send the secret with each request.'

/** Reads `read,call`; `read` is always one of them. Throws AppError `usage` for any other word. */
export function parseRights(text: string, option: string): readonly Right[] {
  const words = text.split(',').map(word => word.trim())
  const unknown = words.find(word => !personRights.some(right => right === word))
  if (unknown !== undefined)
    throw new AppError('usage', `${option}: "${unknown}" is not a right`, {
      hint: `The rights are ${personRights.join(', ')}.`,
    })
  return personRights.filter(right => right === 'read' || words.includes(right))
}

/**
 * Returns the token that only reads `/metrics`: that of a file, else TOOLSCOPE_METRICS_TOKEN. Throws AppError `usage` if it
 * is too short, or its file cannot be read.
 */
export async function readMetricsToken(
  file: string | undefined,
  context: TokenContext,
): Promise<string | undefined> {
  if (file !== undefined) return longEnough(await readTokenFile(file, context), '--metrics-token-file')
  const { TOOLSCOPE_METRICS_TOKEN } = context.environment
  return TOOLSCOPE_METRICS_TOKEN ? longEnough(TOOLSCOPE_METRICS_TOKEN, 'TOOLSCOPE_METRICS_TOKEN') : undefined
}

/**
 * Returns what only a server that knows the token can answer to a nonce. It contains the port, so that a program on
 * another port cannot pass on the answer of the server; its label keeps it apart from every other secret of the token.
 *
 * @param nonce 16 to 64 characters, used once
 */
export function proveToken({ token, port }: { token: string; port: number }, nonce: string): string {
  return createHmac('sha256', token).update(`toolscope proof ${port} ${nonce}`).digest('base64url')
}

const toTokenPath = ({ environment }: TokenContext) => join(dataDirectory(environment), 'page-token.key')

/**
 * Returns the token of the data directory: links and signed-in browsers stay valid after a restart. If the directory
 * cannot be used, the server gets a token for this run only.
 */
async function readStoredToken(isNew: boolean, context: TokenContext): Promise<string | undefined> {
  const path = toTokenPath(context)
  try {
    if (isNew) await rm(path, { force: true })
    return readOrCreateKey(path).toString('base64url')
  } catch (thrown) {
    context.say(
      `The token of this page changes with the next start: ${path} cannot be used: ${toErrorMessage(thrown)}`,
    )
    return undefined
  }
}

const howToGive = `Set TOOLSCOPE_TOKEN, or name a file: --token-file FILE. At least ${minTokenLength} characters: openssl rand -hex 24`

const randomToken = () => randomBytes(24).toString('base64url')

/** Reads the token from a file, the arguments (which other users of the machine can read) or the environment. */
async function givenToken(
  { token, tokenFile }: TokenInput,
  context: TokenContext,
): Promise<string | undefined> {
  if (tokenFile !== undefined) return longEnough(await readTokenFile(tokenFile, context), '--token-file')
  if (token !== undefined) {
    context.say(
      'Every user of this machine can read --token. TOOLSCOPE_TOKEN and --token-file keep it to yourself.',
    )
    return longEnough(token, '--token')
  }
  const { TOOLSCOPE_TOKEN } = context.environment
  return TOOLSCOPE_TOKEN ? longEnough(TOOLSCOPE_TOKEN, 'TOOLSCOPE_TOKEN') : undefined
}

async function readTokenFile(file: string, { directory }: TokenContext): Promise<string> {
  try {
    return (await readFile(resolve(directory, file), 'utf8')).trim()
  } catch (thrown) {
    throw new AppError('usage', `the token file could not be read: ${toErrorMessage(thrown)}`)
  }
}

function longEnough(token: string, from: string): string {
  if (token.length >= minTokenLength && /^[\x21-\x7e]+$/.test(token)) return token
  throw new AppError('usage', `${from}: a token has at least ${minTokenLength} characters, without spaces`, {
    hint: howToGive,
  })
}
