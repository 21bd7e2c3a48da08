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
  /** The server wants an answer of a language model (MCP sampling), which the user writes. */
  readonly purpose?: 'sampling'
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
 * An answer, and its origin: a person, a prepared list, the MCP client that made the call, Toolscope because it had none
 * of them, or the server itself, which did not wait.
 */
export interface GivenAnswer extends Answer {
  readonly by: 'person' | 'prepared' | 'client' | 'toolscope' | 'server'
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

/** The form in which a user answers instead of a language model. */
const samplingSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Answer of the model', minLength: 1, contentMediaType: 'text/plain' },
    model: { type: 'string', title: 'Name of the model', default: 'a person' },
  },
  required: ['text'],
} as const

/** Reads the params of a `sampling/createMessage` as a question, whose form takes the text of the answer. */
export function readSampling(params: unknown, facts: Omit<QuestionFacts, 'message'>): Reading {
  const messages = isObject(params) ? own(params, 'messages') : undefined
  if (!isObject(params) || !Array.isArray(messages) || messages.length === 0)
    return { ok: false, why: 'it has no messages for the model' }
  const system = own(params, 'systemPrompt')
  const said = [
    ...(typeof system === 'string' && system !== '' ? [`System: ${system}`] : []),
    ...messages.map(formatSpoken),
  ].join('\n\n')
  const hidden = said.length - maxMessageLength
  const notes = [
    facts.note,
    describeWishes(params),
    hidden > 0 ? `The end of the conversation is left out: ${hidden} characters.` : undefined,
  ].filter(note => note !== undefined)
  const note = notes.length === 0 ? {} : { note: notes.join(' ') }
  const message = said.slice(0, maxMessageLength)
  return {
    ok: true,
    question: { ...facts, ...note, purpose: 'sampling', message, mode: 'form', schema: samplingSchema },
  }
}

function formatSpoken(message: unknown): string {
  const role = isObject(message) && own(message, 'role') === 'assistant' ? 'Assistant' : 'User'
  return `${role}: ${formatSampledContent(isObject(message) ? own(message, 'content') : undefined)}`
}

/** Returns the text of the content of a message for or of a model; other blocks by their type and size. */
export function formatSampledContent(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [content]
  const texts = blocks.map(block => {
    if (!isObject(block)) return '[not readable]'
    const text = own(block, 'text')
    if (typeof text === 'string') return text
    const data = own(block, 'data')
    const size = typeof data === 'string' ? `, ${data.length} characters of base64` : ''
    return `[${String(own(block, 'mimeType') ?? own(block, 'type')).slice(0, 100)}${size}]`
  })
  return texts.join('\n')
}

/** Returns what the server wants of the model: `It asks for claude-3-sonnet, at most 100 tokens.` */
function describeWishes(params: Readonly<Record<string, unknown>>): string | undefined {
  const preferences = own(params, 'modelPreferences')
  const hints = isObject(preferences) ? own(preferences, 'hints') : undefined
  const names = (Array.isArray(hints) ? hints : []).flatMap(hint => {
    const name = isObject(hint) ? own(hint, 'name') : undefined
    return typeof name === 'string' && name !== '' ? [name.slice(0, 100)] : []
  })
  const maxTokens = own(params, 'maxTokens')
  const temperature = own(params, 'temperature')
  const wishes = [
    ...(names.length > 0 ? [names.slice(0, 5).join(' or ')] : []),
    ...(typeof maxTokens === 'number' ? [`at most ${maxTokens} tokens`] : []),
    ...(typeof temperature === 'number' ? [`temperature ${temperature}`] : []),
  ]
  return wishes.length === 0 ? undefined : `It asks for ${wishes.join(', ')}.`
}

/**
 * Only http and https addresses may be opened, no `javascript:` and no file. A browser reads a backslash as a slash.
 */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(text)
}
