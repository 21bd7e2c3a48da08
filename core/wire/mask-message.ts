/**
 * Removes secrets from the messages of a source: what the source's settings call secret, the secret fields of a tool's
 * input, headers and members with the name of a secret, texts of a secret's shape, and what a user redacts by a pointer.
 */
import { parse, stringify } from 'lossless-json'
import { isJsonNumber, isObject, numberText, own, parseJson } from '../json/json.ts'
import { pointerSegments, valueAt, withPart } from '../json/pointer.ts'
import { findSecretFields, isSecretName, noFields } from '../tool/is-secret.ts'
import { secretsIn } from '../tool/left-out.ts'
import { createMasker, mask, maskShapes, maskWords, minMaskedLength } from '../tool/mask.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { bridgedTool, toRpc, type WireMessage } from './wire-message.ts'

export type MaskableMessage = Pick<WireMessage, 'direction' | 'part' | 'text' | 'http' | 'run' | 'base64'>

export interface MessageMaskerFacts {
  /** Returns the secrets of the source's settings that are known now; they may change with a sign-in. */
  readonly secrets?: () => readonly string[]
  /** Returns the input schema of a tool of the source; undefined if it is unknown. */
  readonly inputSchema?: (tool: string) => JsonSchema | undefined
  /**
   * JSON Pointers of values that are secret too, in the whole message, in the arguments or in the structured result:
   * `/params/arguments/ssn`, `/ssn`.
   */
  readonly redact?: readonly string[]
}

/** More secrets than this are not searched in every text; the oldest inputs are forgotten. */
const maxInputSecrets = 500
/** A masker is made again only for the last group of secrets. */
const groupSize = 50

export class MessageMasker {
  private changes = 0
  private readonly facts: MessageMaskerFacts
  private readonly redacted: readonly (readonly string[])[]
  /** Secrets of the settings, also those that were replaced. */
  private readonly known = new Set<string>()
  /** Secrets of inputs, headers and redacted values. */
  private readonly found = new Set<string>()
  /** Names of fields that a schema marks as secret. */
  private readonly marked = new Set<string>()
  private hideKnown: (text: string) => string = text => text
  private groups: { readonly secrets: string[]; hide: (text: string) => string }[] = []

  constructor(facts: MessageMaskerFacts = {}) {
    this.facts = facts
    this.redacted = (facts.redact ?? []).map(pointerSegments)
  }

  /** Grows with each new secret: a text that had none may have one now. */
  get version(): number {
    this.readKnown()
    return this.changes
  }

  /** The length of the longest secret that is known now. */
  get longest(): number {
    return [...this.known, ...this.found].reduce((longest, { length }) => Math.max(longest, length), 0)
  }

  /** Finds the secrets of a message, to mask them in this one and in all others. Call it in the order of the messages. */
  note({ text, http, run, direction }: MaskableMessage): void {
    for (const [name, value] of Object.entries(http?.headers ?? {}))
      if (isSecretHeader(name)) for (const secret of secretsOfHeader(name, value)) this.add(secret)
    for (const [name, value] of Object.entries(run?.environment ?? {}))
      if (isSecretName(name)) this.add(value)
    for (const secret of maskWords(run?.argv ?? []).secrets) this.add(secret)
    if (direction !== 'sent' && this.redacted.length === 0) return
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null) return
    for (const pointer of this.redacted)
      for (const path of redactedPaths(value, pointer)) this.addAll(valueAt(value, path))
    if (direction !== 'sent') return
    const { input, tool } = findInput(value, run?.tool ?? bridgedTool(http))
    const schema = tool === undefined ? undefined : this.facts.inputSchema?.(tool)
    const fields = schema === undefined ? noFields : findSecretFields(schema)
    for (const name of fields.marked) this.mark(name)
    for (const secret of secretsIn(input, fields) ?? []) this.add(secret)
  }

  /** Returns the message without the secrets that are known now, and how many were removed. */
  mask<Message extends MaskableMessage>(
    message: Message,
  ): { readonly message: Message; readonly masked: number } {
    const { text, http, run, base64 } = message
    const visible = this.maskText(this.redact(text))
    const headers = http?.headers && this.maskHeaders(http.headers)
    const changed = {
      ...message,
      text: visible,
      ...(http && {
        http: {
          ...http,
          ...(http.url !== undefined && { url: this.maskText(http.url) }),
          ...(headers && { headers }),
        },
      }),
      ...(run && {
        run: {
          ...run,
          ...(run.argv && { argv: maskWords(run.argv).visible.map(word => this.maskText(word)) }),
          ...(run.environment && { environment: this.maskHeaders(run.environment) }),
          ...(run.output !== undefined && { output: this.maskText(run.output) }),
        },
      }),
    }
    // The bytes would contain the secret.
    if (base64 !== undefined && visible !== text) delete changed.base64
    const masked = countMasks(changed) - countMasks(message)
    return { message: changed, masked: Math.max(0, masked) }
  }

  /** Returns a text without the secrets that are known now. JSON stays JSON. */
  maskText(text: string): string {
    if (text === '') return text
    this.readKnown()
    return this.hide(text)
  }

  /** Replaces the values that the pointers name, however short they are. */
  private redact(text: string): string {
    const value = this.redacted.length === 0 ? undefined : parseJson(text)
    if (typeof value !== 'object' || value === null) return text
    const found = this.redacted.flatMap(pointer => redactedPaths(value, pointer))
    if (found.length === 0) return text
    return stringify(found.reduce((part, path) => withPart(part, path, mask), parse(text))) ?? ''
  }

  private hide(text: string): string {
    const isSecret = (name: string) => this.isSecretMember(name)
    const masked = hideMembers(this.hideValues(text), isSecret)
    if (masked === text || parseJson(masked) !== undefined || parseJson(text) === undefined) return masked
    // A value that looks like a secret was part of the JSON itself.
    return hideMembers(
      rewriteJson(text, part => this.hideValues(part)),
      isSecret,
    )
  }

  private hideValues(text: string): string {
    let masked = this.hideKnown(text)
    for (const group of this.groups) masked = group.hide(masked)
    return hideSessions(maskShapes(masked, () => mask))
  }

  private maskHeaders(record: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(record).map(([name, value]) => [
      name,
      isSecretHeader(name) && value !== '' ? mask : this.maskText(value),
    ])
    return Object.fromEntries(entries)
  }

  private isSecretMember(name: string): boolean {
    // A token of a progress is a number of a request, not a credential.
    return this.marked.has(name) || (name !== 'progressToken' && isSecretName(name))
  }

  private readKnown(): void {
    const before = this.known.size
    for (const secret of this.facts.secrets?.() ?? []) this.known.add(secret)
    if (this.known.size === before) return
    this.changes += 1
    this.hideKnown = createMasker(this.known)
  }

  private mark(name: string): void {
    if (this.marked.has(name)) return
    this.marked.add(name)
    this.changes += 1
  }

  /** Adds every text and number in a value. */
  private addAll(value: unknown): void {
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) this.addAll(part)
    else if (typeof value === 'string' || typeof value === 'number') this.add(String(value))
  }

  private add(secret: string): void {
    if (secret.length < minMaskedLength || secret === mask || this.found.has(secret)) return
    this.found.add(secret)
    this.changes += 1
    const last = this.groups.at(-1)
    if (last === undefined || last.secrets.length === groupSize)
      this.groups.push({ secrets: [secret], hide: createMasker([secret]) })
    else {
      last.secrets.push(secret)
      last.hide = createMasker(last.secrets)
    }
    if (this.found.size <= maxInputSecrets) return
    for (const forgotten of this.groups.shift()?.secrets ?? []) this.found.delete(forgotten)
  }
}

/** Returns whether a header's value is masked: that of a secret, and the id of a session, which lets others into it. */
function isSecretHeader(name: string): boolean {
  return isSecretName(name) || /^mcp-session-id$/i.test(name)
}

/** A cookie's name and its attributes are not secret. */
function secretsOfHeader(name: string, value: string): readonly string[] {
  if (/^(?:set-)?cookie$/i.test(name))
    return value.split(/[;,]\s*/).flatMap(part => /^[^=]+=(.{8,})$/.exec(part)?.[1] ?? [])
  return [value.replace(/^(?:Bearer|Basic|Token|Digest)\s+/i, '')]
}

/** The session of the transport of 2024 is in its address. */
const hideSessions = (text: string) => text.replace(/([?&]session_?id=)[\w.~%+/=-]+/gi, `$1${mask}`)

/** Returns the input of a call, or what a sent answer contains, without `_meta`. */
function findInput(
  value: object,
  ranTool: string | undefined,
): { readonly input: unknown; readonly tool?: string } {
  if (ranTool !== undefined) return { input: value, tool: ranTool }
  const rpc = toRpc(value)
  if (rpc?.kind === 'result') return { input: rpc.result }
  if (rpc === undefined || rpc.kind === 'error' || !isObject(rpc.params)) return { input: undefined }
  const { _meta, ...params } = rpc.params
  if (rpc.method !== 'tools/call') return { input: params }
  const name = own(params, 'name')
  return { input: own(params, 'arguments'), ...(typeof name === 'string' && { tool: name }) }
}

/** Returns the paths that a pointer names: in the message, in its arguments, and in its structured result. */
function redactedPaths(value: object, pointer: readonly string[]): readonly (readonly string[])[] {
  if (pointer.length === 0) return []
  const roots = [[], ['params', 'arguments'], ['result', 'structuredContent']]
  return roots.map(root => [...root, ...pointer]).filter(path => valueAt(value, path) !== undefined)
}

/**
 * Masks the value of each member of JSON with the name of a secret, also in JSON inside a text of JSON, at any depth. An
 * object or a list is not a value. A value that does not end is masked up to the end of the text.
 */
function hideMembers(text: string, isSecret: (name: string) => boolean): string {
  const pattern = /(\\{0,64})"([\w-]{1,100})\1"\s{0,20}:\s{0,20}(?=\1"|-?\d)/g
  let visible = ''
  let copied = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [whole, slashes = '', name = ''] = found
    if (!isSecret(name)) continue
    const from = found.index + whole.length
    const isText = text.startsWith(`${slashes}"`, from)
    const start = isText ? from + slashes.length + 1 : from
    const end = isText ? findTextEnd(text, start, slashes.length) : findNumberEnd(text, start)
    const quote = isText ? '' : `${slashes}"`
    visible += `${text.slice(copied, start)}${quote}${start === end ? '' : mask}${quote}`
    copied = end
    pattern.lastIndex = end
  }
  return copied === 0 ? text : visible + text.slice(copied)
}

/**
 * Returns the position after a JSON text.
 *
 * @param escapes how many backslashes are before its quotes: 0, 1 in JSON inside JSON, 3, 7 …
 */
function findTextEnd(text: string, start: number, escapes: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (before > start && text[before - 1] === '\\') before -= 1
    if ((quote - before) % (2 * (escapes + 1)) === escapes) return quote - escapes
  }
  return text.length
}

function findNumberEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && /[\d.eE+-]/.test(text[end] ?? '')) end += 1
  return end
}

/** Returns JSON with `hide` applied to each text in it. What is nested too deeply is hidden as a whole. */
function rewriteJson(text: string, hide: (part: string) => string): string {
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return hide(part)
    if (isJsonNumber(part)) return hide(numberText(part)) === numberText(part) ? part : mask
    if (Array.isArray(part)) return part.map(visit)
    if (!isObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [hide(name), visit(member)]))
  }
  try {
    return stringify(visit(parse(text))) ?? ''
  } catch {
    return JSON.stringify(mask)
  }
}

function countMasks({ text, http, run }: MaskableMessage): number {
  const texts = [
    text,
    http?.url ?? '',
    run?.output ?? '',
    ...Object.values(http?.headers ?? {}),
    ...Object.values(run?.environment ?? {}),
    ...(run?.argv ?? []),
  ]
  return texts.reduce((sum, each) => sum + each.split(mask).length - 1, 0)
}
