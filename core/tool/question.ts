/** Questions that a server asks while one of its tools runs (MCP elicitation), and their answers. */
import { isDeeperThan, isObject, type Json, own } from '../json/json.ts'
import type { JsonSchema } from './tool.ts'

interface QuestionFacts {
  /** Unique among all questions. */
  readonly id: string
  /** The key of the question in the server's `inputRequests`, if it asks several. */
  readonly name?: string
  /** The server's own text. It is hostile, as are the schema and the URL. */
  readonly message: string
  /** The server's name for itself. */
  readonly server?: string
  /** A warning about the question. */
  readonly note?: string
}

export type Question = QuestionFacts &
  (
    | { readonly mode: 'form'; readonly schema: JsonSchema }
    /** An http or https address. */
    | { readonly mode: 'url'; readonly url: string }
  )

/** The answer to the server: MCP's `ElicitResult`. `content` only when a form is accepted. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: { readonly [field: string]: Json }
}

/**
 * An answer, and its origin: a person, a prepared list, Toolscope because it had neither, or the server itself, which
 * did not wait.
 */
export interface GivenAnswer extends Answer {
  readonly by: 'person' | 'prepared' | 'toolscope' | 'server'
  /** Why it was declined without asking the user. */
  readonly note?: string
}

export interface QuestionState {
  readonly question: Question
  /** Absent while the question waits. */
  readonly answer?: GivenAnswer
}

const maxMessageLength = 20_000
const maxSchemaLength = 64_000
const maxSchemaDepth = 40
const maxUrlLength = 8_000

type Reading =
  | { readonly ok: true; readonly question: Question }
  | { readonly ok: false; readonly why: string }

/** Reads the params of an `elicitation/create`. If it cannot be asked, `why` says so to the user and the server. */
export function readQuestion(params: unknown, facts: Omit<QuestionFacts, 'message'>): Reading {
  const no = (why: string): Reading => ({ ok: false, why })
  if (!isObject(params)) return no('the question has no parameters')
  const message = own(params, 'message')
  if (typeof message !== 'string') return no('the question has no message')
  if (message.length > maxMessageLength)
    return no(`its message is longer than ${maxMessageLength} characters`)
  if (own(params, 'mode') === 'url') {
    const url = own(params, 'url')
    if (typeof url !== 'string' || url.length > maxUrlLength || !isWebAddress(url))
      return no('its address is not an http or https address')
    return { ok: true, question: { ...facts, message, mode: 'url', url } }
  }
  const schema = own(params, 'requestedSchema')
  if (!isObject(schema)) return no('it has no schema of the form')
  if (isDeeperThan(schema, maxSchemaDepth)) return no(`its schema nests deeper than ${maxSchemaDepth} levels`)
  if (JSON.stringify(schema).length > maxSchemaLength)
    return no(`its schema is longer than ${maxSchemaLength} characters`)
  return { ok: true, question: { ...facts, message, mode: 'form', schema } }
}

/**
 * Only http and https addresses may be opened, no `javascript:` and no file. A browser reads a backslash as a slash.
 */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(text)
}
