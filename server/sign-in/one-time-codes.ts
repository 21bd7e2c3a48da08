/** Codes that are good once, for a while: each stands for a value. */
import { createHash, randomBytes } from 'node:crypto'

/** More are not kept: the oldest goes. */
const maxCodes = 100

export class OneTimeCodes<Value> {
  private readonly lifetimeMs: number
  /** By the digest of the code: the time of a look-up says nothing about a code. */
  private readonly created = new Map<string, { readonly at: number; readonly value: Value }>()

  constructor(lifetimeMs: number) {
    this.lifetimeMs = lifetimeMs
  }

  create(value: Value, now = Date.now()): string {
    const code = randomBytes(24).toString('base64url')
    this.created.set(digest(code), { at: now, value })
    const [oldest] = this.created.keys()
    if (this.created.size > maxCodes && oldest !== undefined) this.created.delete(oldest)
    return code
  }

  /** Whether `use` would give a value. */
  has(code: string): boolean {
    const entry = this.created.get(digest(code))
    return entry !== undefined && Date.now() - entry.at <= this.lifetimeMs
  }

  /** The value where the code was good; it is not any more. */
  use(code: string): Value | undefined {
    const value = this.has(code) ? this.created.get(digest(code))?.value : undefined
    this.created.delete(digest(code))
    return value
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
