/** What a server asks back while one of its tools runs (MCP elicitation), and the answers to it. */
import { isDeeperThan } from '../json/depth.ts'
import { isObject, type Json, own } from '../json/json.ts'
import type { JsonSchema } from './tool.ts'

interface QuestionFacts {
  /** Unique among all questions. */
  readonly id: string
  /** The server's name for it among several (a key of `inputRequests`). */
  readonly name?: string
  /** The server's own text: hostile, as its schema and its address are. */
  readonly message: string
  /** Who asks: the server's name for itself. */
  readonly server?: string
  /** What is uncertain about it. */
  readonly note?: string
}

export type Question = QuestionFacts &
  (
    | { readonly mode: 'form'; readonly schema: JsonSchema }
    /** `url`: http or https. */
    | { readonly mode: 'url'; readonly url: string }
  )

/** What goes back to the server: MCP's `ElicitResult`. `content` only where a form is accepted. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: { readonly [field: string]: Json }
}

/**
 * An answer, and who gave it: a person, a prepared list, Toolscope because there was neither, or the server itself, which
 * did not wait.
 */
export interface GivenAnswer extends Answer {
  readonly by: 'person' | 'prepared' | 'toolscope' | 'server'
  /** Why it was declined without a person. */
  readonly note?: string
}

/** A question of a call, and what came of it. */
export interface AskedQuestion {
  readonly question: Question
  /** Absent while it waits. */
  readonly answer?: GivenAnswer
}

const maxMessageLength = 20_000
const maxSchemaLength = 64_000
const maxSchemaDepth = 40
const maxUrlLength = 8_000

type Reading =
  | { readonly ok: true; readonly question: Question }
  | { readonly ok: false; readonly why: string }

/** Reads the params of an `elicitation/create`. `why` it cannot be asked is for people and for the server. */
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

/** Nothing else may be opened: no `javascript:`, no file. A browser reads a backslash as a slash. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(text)
}
