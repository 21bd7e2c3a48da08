/**
 * Reads toolscope.json: searched for from the working directory upward; comments are allowed, unknown keys are errors.
 */

import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { pickCallSettings } from '../../core/api/call-settings.ts'
import { configEntry, sourceName } from '../../core/api/source-entry.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { readToolForms, type ToolForms } from '../../core/form/tool-forms.ts'
import { isObject, withoutUndefined } from '../../core/json/json.ts'
import { findRepeatedMember } from '../../core/json/json-mistake.ts'
import { defaultLintClients, type LintClient, lintClients } from '../../core/lint/lint-finding.ts'
import { defaultPinPolicy, type PinPolicy, pinActions, pinClasses } from '../../core/pin/pin.ts'
import { nearest } from '../../core/text/wording.ts'
import { fileStatus } from '../process/command-line.ts'
import { isOwned } from '../process/owner.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { readJsonc } from '../recognise/mcp-json.ts'
import type { SourceSpec } from '../sources/source.ts'
import { callRetention, type Retention, snapshotRetention } from '../store/retention.ts'
import type { RuleFiles } from '../versions/read-team-rules.ts'
import { whatStarts } from './what-starts.ts'

const pinAction = z.enum(pinActions).optional()

/** The shape of toolscope.json. docs/toolscope.schema.json is generated from it. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  sources: z.record(sourceName, configEntry).default({}),
  history: z
    .union([
      z.literal(false),
      z.strictObject({
        calls: z.number().int().min(1).max(10_000_000).optional(),
        days: z.number().min(0.01).max(36_500).optional(),
      }),
    ])
    .optional()
    .describe('How many calls are remembered and for how long: 100000 and 90 days unless set; false: none.'),
  maxCalls: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('How many calls run at once; the rest waits in line. 32 unless set.'),
  versions: z
    .strictObject({
      keep: z.number().int().min(1).max(1_000_000).optional(),
      days: z.number().min(0.01).max(36_500).optional(),
    })
    .optional()
    .describe(
      'How many versions of a source are kept and for how long: 10000 and without end unless set. Labelled ones stay.',
    ),
  lint: z
    .strictObject({ clients: z.array(z.enum(lintClients)).min(1) })
    .optional()
    .describe('For which clients `toolscope lint` checks: mcp unless set.'),
  diff: z
    .strictObject({
      rules: z.string().min(1).optional().describe('A file that sets the severity of rules.'),
      ignore: z
        .string()
        .min(1)
        .optional()
        .describe('A file of accepted changes: fingerprint, reason, expiry.'),
    })
    .optional()
    .describe(
      'Files that every comparison follows, relative to this file; --rules and --ignore win over them.',
    ),
  pin: z
    .strictObject(
      Object.fromEntries([...pinClasses, 'unpinned' as const].map(name => [name, pinAction])) as Record<
        keyof PinPolicy,
        typeof pinAction
      >,
    )
    .optional()
    .describe(
      'What happens to a call of a pinned source whose tool differs, by the class of the difference: docs/pin.md.',
    ),
  // Not validated here: an error in one form must not close the sources.
  forms: z
    .unknown()
    .optional()
    .meta({ type: 'object', additionalProperties: { type: 'object' } })
    .describe(
      'How forms are drawn: uiSchemas by the name or the reference of a tool, or a pattern over both: "api *", "acme/*".',
    ),
})

/** A source of a configuration. `Trust` turns it into a source that can be opened. */
export interface ConfigEntry {
  readonly spec: SourceSpec
  /**
   * The program that starts when the source is opened or called, as shown to the user, secrets masked. Absent if it
   * only reads files or requests an address.
   */
  readonly starts?: string | undefined
}

export interface Config {
  /** Absolute; null if there is no configuration file. */
  readonly path: string | null
  /** The directory that relative paths start from. */
  readonly directory: string
  readonly entries: readonly ConfigEntry[]
  /** Nearer configuration files that were ignored because other users own them. */
  readonly foreign: readonly string[]
  /** How much history is kept; null if no history is written. */
  readonly callRetention: Retention | null
  /** Which versions of a source's manifest are kept. */
  readonly snapshotRetention: Retention
  /** Maximum number of calls that run at the same time. */
  readonly maxCalls?: number | undefined
  readonly lintClients: readonly LintClient[]
  /** The rules and ignore files of every comparison. */
  readonly ruleFiles: RuleFiles
  /** The action for each difference from an approved source. */
  readonly pinPolicy: PinPolicy
  readonly forms: ToolForms
}

/**
 * Finds and reads the configuration. `explicit` must exist; otherwise uses the nearest toolscope.json upward that the
 * user owns, if any.
 */
export function loadConfig(directory: string, explicit?: string, userId?: number): Config {
  const foreign: string[] = []
  const path = explicit === undefined ? findUpward(directory, foreign, userId) : resolve(directory, explicit)
  if (path === null)
    return {
      path,
      directory,
      entries: [],
      foreign,
      callRetention,
      snapshotRetention,
      lintClients: defaultLintClients,
      ruleFiles: {},
      pinPolicy: defaultPinPolicy,
      forms: readToolForms(undefined),
    }
  const parsed = parseConfig(readText(path), path)
  return {
    path,
    directory: dirname(path),
    foreign,
    callRetention:
      parsed.history === false
        ? null
        : resolveRetention(callRetention, parsed.history?.calls, parsed.history?.days),
    snapshotRetention: resolveRetention(snapshotRetention, parsed.versions?.keep, parsed.versions?.days),
    maxCalls: parsed.maxCalls,
    lintClients: parsed.lint?.clients ?? defaultLintClients,
    ruleFiles: resolveRuleFiles(parsed.diff, path),
    pinPolicy: { ...defaultPinPolicy, ...withoutUndefined(parsed.pin ?? {}) },
    forms: readToolForms(parsed.forms),
    entries: Object.entries(parsed.sources).map(([name, entry]) => {
      const { listTimeoutMs, background, environment, inherit, hiddenCatalog } = entry
      const { flags, subprograms, directory: folder } = entry
      const more = withoutUndefined({ listTimeoutMs, background, environment, inherit, hiddenCatalog })
      const settings = { name, ...pickCallSettings(entry), ...more }
      const given = withoutUndefined({ flags, subprograms, directory: folder || undefined })
      const spec = configuredSource(entry, settings, given)
      return { spec: { ...spec, argument: name }, starts: whatStarts(entry) }
    }),
  }
}

function resolveRuleFiles(
  { rules, ignore }: NonNullable<z.infer<typeof configSchema>['diff']> = {},
  path: string,
): RuleFiles {
  const file = (key: 'rules' | 'ignore', name: string) => ({
    [key]: { path: resolve(dirname(path), name), name, namedBy: `"${key}" of "diff" in ${path}` },
  })
  return {
    ...(rules !== undefined && file('rules', rules)),
    ...(ignore !== undefined && file('ignore', ignore)),
  }
}

function resolveRetention(usual: Retention, maxCount = usual.maxCount, maxDays = usual.maxDays): Retention {
  return withoutUndefined({ maxCount, maxDays })
}

/**
 * Throws AppError `config-invalid` that names the file, the location, and for an unknown key the most similar valid
 * one.
 */
export function parseConfig(text: string, path: string): z.infer<typeof configSchema> {
  const { value, mistake } = readJsonc(text)
  if (mistake !== undefined) throw new AppError('config-invalid', `${path}:${mistake}`)
  const repeated = findRepeatedMember(text)
  if (repeated !== undefined) {
    const line = text.slice(0, repeated.offset).split('\n').length
    throw new AppError('config-invalid', `${path}:${line}: the key "${repeated.name}" is there twice`)
  }
  // zod ignores this key silently.
  if (isObject(value) && isObject(value.sources) && Object.hasOwn(value.sources, '__proto__'))
    throw new AppError('config-invalid', `${path}: at sources: no source can be called "__proto__"`)
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError(
    'config-invalid',
    parsed.error.issues.map(issue => `${path}: ${describeIssue(issue)}`).join('\n'),
  )
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const location = issue.path.length === 0 ? '' : `at ${issue.path.join('.')}: `
  if (issue.code === 'invalid_union') return describeUnion(issue)
  if (issue.code === 'invalid_key')
    return `${location}${issue.issues.map(({ message }) => message).join('; ')}`
  if (issue.code !== 'unrecognized_keys') return `${location}${issue.message}`
  const known = knownKeys(configSchema, issue.path)
  return issue.keys
    .map(key => {
      if (key === 'mcpServers')
        return `${location}unknown key "${key}": this is an mcp.json; name the file as a source (toolscope FILE)`
      const [section, , inner] = issue.path
      if (section === 'sources' && inner === undefined && mcpKeys.has(key))
        return `${location}unknown key "${key}": an MCP server is {"mcp": {"command": ["npx", "-y", "some-server"]}} or {"mcp": {"url": "https://…"}}`
      const suggestion = nearest(key, known)
      return `${location}unknown key "${key}"${suggestion ? `; did you mean "${suggestion}"?` : `; known are ${known.join(', ')}`}`
    })
    .join('; ')
}

/** Keys of a server in an mcp.json that are not keys of a source. */
const mcpKeys: ReadonlySet<string> = new Set(['args', 'env', 'url', 'type'])

/** Describes the errors of the most likely union member; names the whole union if that is unclear. */
function describeUnion({ errors, path, message }: z.core.$ZodIssueInvalidUnion): string {
  const fewest = Math.min(...errors.map(issues => issues.length))
  const [meant = [], ...others] = errors.filter(issues => issues.length === fewest)
  if (others.length > 0) return `at ${path.join('.')}: ${message}`
  return meant.map(issue => describeIssue({ ...issue, path: [...path, ...issue.path] })).join('; ')
}

/** Returns the keys that an object at this path may have. */
function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return knownKeys(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => knownKeys(option, path))
  const [key, ...rest] = path
  if (schema instanceof z.ZodRecord) return knownKeys(schema.valueType, rest)
  if (!(schema instanceof z.ZodObject)) return []
  if (key === undefined) return Object.keys(schema.shape)
  const next: z.core.$ZodType | undefined = schema.shape[`${String(key)}`]
  return next ? knownKeys(next, rest) : []
}

/** @param foreign receives the files of other users, which are ignored */
function findUpward(directory: string, foreign: string[], userId?: number): string | null {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const path = join(folder, 'toolscope.json')
    if (fileStatus(path)?.isFile()) {
      if (isOwned(path, userId)) return path
      foreign.push(path)
    }
    if (dirname(folder) === folder) return null
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new AppError('config-invalid', `${path} could not be read: ${toErrorMessage(cause)}`)
  }
}
