/**
 * Removes secrets from the messages of a source: what the source's settings call secret, the secret fields of a tool's
 * input, headers and members with the name of a secret, texts of a secret's shape, and what a user redacts by a pointer.
 */
import { parse, stringify } from 'lossless-json'
import { isJsonNumber, isObject, numberText, own, parseJson } from '../json/json.ts'
import { pointerSegments, valueAt, withPart } from '../json/pointer.ts'
import {
  environmentReference,
  findSecretFields,
  isSecretName,
  isSecretVariable,
  mayContainSecret,
  noFields,
  type SecretFields,
} from '../tool/is-secret.ts'
import { secretsIn } from '../tool/left-out.ts'
import {
  createMasker,
  mask,
  maskShapes,
  maskWords,
  minMaskedLength,
  SecretMasker,
  secretsOfAddress,
  withLines,
} from '../tool/mask.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { findSecretMembers, hideMembers, readMember } from './secret-members.ts'
import { bridgedTool, toRpc, type WireMessage } from './wire-message.ts'

export type MaskableMessage = Pick<
  WireMessage,
  'direction' | 'part' | 'text' | 'isCut' | 'http' | 'run' | 'base64'
>

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

/** Found secrets that are searched in every text; the older half is forgotten if there are more. */
const maxFoundSecrets = 2_000
/** Characters of the found secrets together. */
const maxFoundCharacters = 512 * 1024
/** Characters of a secret that are searched. */
const maxSecretCharacters = 16 * 1024

export class MessageMasker {
  private changes = 0
  private readonly facts: MessageMaskerFacts
  private readonly redacted: readonly (readonly string[])[]
  /** Secrets of the settings, also those that were replaced. */
  private readonly known = new Set<string>()
  /** Secrets of messages, headers and redacted values, the oldest first. */
  private found = new Set<string>()
  private foundCharacters = 0
  private foundMasker = new SecretMasker()
  /** Names of fields that a schema marks as secret. */
  private readonly marked = new Set<string>()
  private hideKnown: (text: string) => string = text => text

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
  note({ text, http, run, direction, isCut }: MaskableMessage): void {
    for (const [name, value] of Object.entries(http?.headers ?? {}))
      if (isSecretHeader(name)) for (const secret of secretsOfHeader(name, value)) this.add(secret)
    if (http?.url !== undefined) for (const secret of secretsOfAddress(http.url)) this.add(secret)
    for (const [name, value] of Object.entries(run?.environment ?? {}))
      if (isSecretVariable(name, value)) this.add(value)
    if (run?.argv !== undefined) for (const secret of maskWords(run.argv).secrets) this.add(secret)
    if (this.isPlain({ text, run, direction })) return
    const value = direction === 'sent' || this.redacted.length > 0 ? parseJson(text) : undefined
    for (const path of this.redactedPaths(value)) this.addAll(valueAt(value, path))
    if (direction === 'sent') {
      for (const each of Array.isArray(value) ? value : [value])
        if (typeof each === 'object' && each !== null) this.noteInput(each, run?.tool ?? bridgedTool(http))
      // The tool of a message that was cut is searched in what is left.
      if (isCut === true && value === undefined)
        for (const [, name = ''] of text.matchAll(/"name"\s*:\s*"([^"\\]{1,200})"/g)) this.readSchema(name)
    }
    this.noteMembers(text)
    if (run?.output !== undefined) this.noteMembers(run.output)
  }

  /**
   * Returns whether a message is known to have no secret without reading it: most messages of a busy source are dropped
   * before somebody reads them.
   */
  private isPlain({ text, run, direction }: Pick<MaskableMessage, 'text' | 'run' | 'direction'>): boolean {
    if (this.redacted.length > 0 || mayContainSecret(text.replace(ownMeta, ''))) return false
    if (run?.output !== undefined || (this.marked.size > 0 && direction === 'received')) return false
    if (direction === 'received') return true
    const tool = run?.tool ?? calledTool.exec(text)?.[1]
    return tool !== undefined && this.readSchema(tool).marked.size === 0
  }

  private noteInput(message: object, ranTool: string | undefined): void {
    const { input, tool } = findInput(message, ranTool)
    const fields = tool === undefined ? noFields : this.readSchema(tool)
    for (const secret of secretsIn(input, fields) ?? []) this.add(secret)
  }

  private readSchema(tool: string): SecretFields {
    const schema = this.facts.inputSchema?.(tool)
    const fields = schema === undefined ? noFields : findSecretFields(schema)
    for (const name of fields.marked) this.mark(name)
    return fields
  }

  /** Notes the values of the members with the name of a secret, so that they are masked elsewhere too. */
  private noteMembers(text: string): void {
    for (const member of findSecretMembers(text, this.isSecretMember))
      for (const secret of secretsOfHeader(member.name, readMember(text, member)))
        if (isSearchable(secret)) this.add(secret)
  }

  /** Returns the message without the secrets that are known now, and how many were removed. */
  mask<Message extends MaskableMessage>(
    message: Message,
  ): { readonly message: Message; readonly masked: number } {
    const { text, http, run, base64 } = message
    const visible = this.maskText(this.redact(message))
    const headers = http?.headers && this.maskRecord(http.headers, isSecretHeader)
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
          ...(run.environment && { environment: this.maskRecord(run.environment, isSecretVariable) }),
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

  /** Replaces the values that the pointers name, however short they are. JSON that was cut cannot be searched. */
  private redact({ text, isCut }: Pick<MaskableMessage, 'text' | 'isCut'>): string {
    if (this.redacted.length === 0 || text === '') return text
    const value = parseJson(text)
    if (value === undefined && isCut === true) return mask
    const found = this.redactedPaths(value)
    if (found.length === 0) return text
    try {
      return stringify(found.reduce((part, path) => withPart(part, path, mask), parse(text))) ?? ''
    } catch {
      // It is nested too deeply for the stack.
      return JSON.stringify(mask)
    }
  }

  /** Returns the paths that the pointers name in a message, or in each message of a list. */
  private redactedPaths(value: unknown): readonly (readonly string[])[] {
    if (this.redacted.length === 0 || typeof value !== 'object' || value === null) return []
    if (!Array.isArray(value)) return this.redacted.flatMap(pointer => redactedPaths(value, pointer))
    return value.flatMap((each: unknown, index) =>
      typeof each === 'object' && each !== null
        ? this.redacted.flatMap(pointer => redactedPaths(each, pointer).map(path => [String(index), ...path]))
        : [],
    )
  }

  private hide(text: string): string {
    const masked = this.hideMembers(this.hideValues(text))
    if (masked === text || parseJson(masked) !== undefined || parseJson(text) === undefined) return masked
    // A value that looks like a secret was part of the JSON itself.
    return this.hideMembers(rewriteJson(text, part => this.hideValues(part)))
  }

  private hideMembers(text: string): string {
    return hideMembers(text, findSecretMembers(text, this.isSecretMember))
  }

  private hideValues(text: string): string {
    return hideSessions(maskShapes(this.foundMasker.mask(this.hideKnown(text)), () => mask))
  }

  private maskRecord(
    record: Readonly<Record<string, string>>,
    isSecret: (name: string, value: string) => boolean,
  ): Record<string, string> {
    const entries = Object.entries(record).map(([name, value]) => [
      name,
      isSecret(name, value) && value !== '' ? mask : this.maskText(value),
    ])
    return Object.fromEntries(entries)
  }

  private readonly isSecretMember = (name: string): boolean => this.marked.has(name) || isNamedSecret(name)

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
    const waiting = [value]
    while (waiting.length > 0) {
      const part = waiting.pop()
      if (typeof part === 'object' && part !== null)
        for (const child of Object.values(part)) waiting.push(child)
      else if (typeof part === 'string' || typeof part === 'number') this.add(String(part))
    }
  }

  private add(secret: string): void {
    for (const part of withLines(secret.slice(0, maxSecretCharacters))) {
      if (part.length < minMaskedLength || part === mask || this.found.has(part)) continue
      this.found.add(part)
      this.foundCharacters += part.length
      this.changes += 1
      this.foundMasker.add(part)
      if (this.found.size > maxFoundSecrets || this.foundCharacters > maxFoundCharacters) this.forget()
    }
  }

  private forget(): void {
    const all = [...this.found]
    this.found = new Set()
    this.foundCharacters = 0
    this.foundMasker = new SecretMasker()
    for (const secret of all.reverse()) {
      if (this.found.size >= maxFoundSecrets / 2 || this.foundCharacters >= maxFoundCharacters / 2) break
      this.found.add(secret)
      this.foundCharacters += secret.length
      this.foundMasker.add(secret)
    }
    this.found = new Set([...this.found].reverse())
  }
}

/** The number that the SDK gives to a call's progress, after the arguments. */
const ownMeta = /"_meta":\{"progressToken":\d+[,}]/
/** The beginning of a call as the SDK writes it. */
const calledTool =
  /^\{"(?:jsonrpc":"2\.0","id":\d+,")?method":"tools\/call","params":\{"name":"([^"\\]{1,200})"/

/** The decisions of the last names: messages repeat them. */
const decidedNames = new Map<string, boolean>()
const maxDecidedNames = 5_000

function isNamedSecret(name: string): boolean {
  const decided = decidedNames.get(name)
  if (decided !== undefined) return decided
  // A token of a progress is a number of a request, not a credential. A sentence is not a name.
  const isSecret = name !== 'progressToken' && isSecretName(name) && name.split(' ').length <= maxNameWords
  if (decidedNames.size >= maxDecidedNames) decidedNames.clear()
  decidedNames.set(name, isSecret)
  return isSecret
}

const maxNameWords = 3

/**
 * Returns whether a value is searched in other texts. `bearer`, `none` and `12` are masked at their own location only,
 * because they are in many texts that have no secret.
 */
function isSearchable(value: string): boolean {
  return value.length >= 6 && !/^[A-Za-z]{1,11}$/.test(value) && !environmentReference.test(value)
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
