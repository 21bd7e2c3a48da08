/** Requests are parsed once, at the edge, by the contract's schemas. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { AppError } from '../../../core/errors.ts'

export const MAX_BODY_BYTES = 32 * 1024 * 1024

/** Throws AppError `request-invalid` that names each field. */
export function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.map(
    issue => `${issue.path.join('.') || 'the request'}: ${issue.message}`,
  )
  throw new AppError('request-invalid', places.join('; '))
}

/** The body's text, and its value parsed by `schema`. */
export async function readBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<{ text: string; body: z.infer<Schema> }> {
  const type = context.req.header('content-type') ?? ''
  // A form or a plain-text post is what another site can send without asking.
  if (!/^application\/json\b/i.test(type))
    throw new AppError(
      'request-invalid',
      `the body is "${type || 'untyped'}"; send Content-Type: application/json`,
    )
  const text = await context.req.text()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw new AppError(
      'request-invalid',
      `the body is not JSON: ${thrown instanceof Error ? thrown.message : thrown}`,
    )
  }
  return { text, body: parseWith(schema, value) }
}
