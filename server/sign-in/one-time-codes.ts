/** Codes that can be used once within their lifetime, each with a value. */
import { createHash, randomBytes } from 'node:crypto'

/** If there are more, the oldest is dropped. */
const maxCodes = 100

export class OneTimeCodes<Value> {
  private readonly lifetimeMs: number
  /** By the digest of the code, so that the time of a look-up reveals nothing about the code. */
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

  /** Whether `use` would return a value. */
  has(code: string): boolean {
    const entry = this.created.get(digest(code))
    return entry !== undefined && Date.now() - entry.at <= this.lifetimeMs
  }

  /** Returns the value if the code is valid, and makes the code invalid. */
  use(code: string): Value | undefined {
    const value = this.has(code) ? this.created.get(digest(code))?.value : undefined
    this.created.delete(digest(code))
    return value
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
