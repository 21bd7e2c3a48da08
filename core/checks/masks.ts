/** Masks locations of a result that differ between calls (times, ids) before a comparison; docs/compare.md. */
import { RE2JS } from 're2js'
import { z } from 'zod'
import { isJsonNumber, isObject, type Json, numberText } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import { pointerSegments } from '../json/pointer.ts'
import { mask } from '../tool/mask.ts'
import type { Tool } from '../tool/tool.ts'
import { nameMatcher, toolMatcher } from '../tool/tool-pattern.ts'

const maxMasks = 1_000

const maskFile = z.strictObject({
  $schema: z.string().optional(),
  masks: z
    .array(
      z.strictObject({
        path: z
          .string()
          .max(1_000)
          .regex(/^(\/|$)/, 'must begin with / or be empty'),
        pattern: z.string().min(1).max(1_000).optional(),
        tool: z.string().min(1).optional(),
        note: z.string().optional(),
      }),
    )
    .max(maxMasks),
})

/** One mask, ready for use. */
export interface Mask {
  /** The steps of its path; `'**'` means any number of steps. */
  readonly steps: readonly ('**' | ((key: string) => boolean))[]
  readonly appliesTo: (tool: Pick<Tool, 'name' | 'ref'>) => boolean
  /** Replaces what the pattern matches in a text; if absent, the whole value is masked. */
  readonly replace?: (text: string) => string
}

export type MaskReading =
  | { readonly ok: true; readonly masks: readonly Mask[] }
  | { readonly ok: false; readonly message: string }

/** Reads the text of a mask file. Never throws; the error is one line. */
export function readMasks(text: string): MaskReading {
  const reading = readJson(text.replace(/^\ufeff/, ''))
  if (!reading.ok) return { ok: false, message: `it is not valid JSON: ${reading.message}` }
  const parsed = maskFile.safeParse(reading.value)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
    )
    return { ok: false, message: issues.join('; ') }
  }
  const masks: Mask[] = []
  for (const [index, { path, pattern, tool }] of parsed.data.masks.entries()) {
    const replace = pattern === undefined ? undefined : replacer(pattern)
    if (replace === null)
      return {
        ok: false,
        message: `masks.${index}.pattern: is not a regular expression of RE2 (which has no look-around)`,
      }
    masks.push({
      steps: pointerSegments(path).map(step => (step === '**' ? step : nameMatcher(step))),
      appliesTo: tool === undefined ? () => true : toolMatcher(tool),
      ...(replace === undefined ? {} : { replace }),
    })
  }
  return { ok: true, masks }
}

/** RE2's time is linear in the text, for every pattern. */
function replacer(pattern: string): ((text: string) => string) | null {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return text => compiled.matcher(text).replaceAll(mask)
  } catch {
    return null
  }
}

/** A mask, and the number of its steps that matched so far. */
type Position = readonly [Mask, number]

/** Returns a copy with `•••` for masked parts. Absent parts stay absent. */
export function maskValue(value: Json, masks: readonly Mask[]): Json {
  if (masks.length === 0) return value
  // The value was read within maxJsonDepth, so recursion is safe.
  const visit = (part: Json, positions: readonly Position[]): Json => {
    if (positions.length === 0) return part
    const reached = positions.filter(([{ steps }, at]) => at === steps.length).map(([each]) => each)
    if (reached.some(({ replace }) => replace === undefined)) return mask
    if (Array.isArray(part)) return part.map((item, index) => visit(item, advance(positions, String(index))))
    if (isObject(part))
      return Object.fromEntries(
        Object.entries(part).map(([key, member]) => [key, visit(member, advance(positions, key))]),
      )
    return maskScalar(part, reached)
  }
  return visit(value, settle(masks.map(each => [each, 0])))
}

function maskScalar(value: Json, masks: readonly Mask[]): Json {
  if (typeof value !== 'string' && !isJsonNumber(value)) return value
  const text = typeof value === 'string' ? value : numberText(value)
  const masked = masks.reduce((left, { replace }) => replace?.(left) ?? left, text)
  return masked === text ? value : masked
}

/** Returns the positions one step further. */
function advance(positions: readonly Position[], key: string): readonly Position[] {
  return settle(
    positions.flatMap(([each, at]): Position[] => {
      const step = each.steps[at]
      if (step === undefined) return []
      if (step === '**') return [[each, at]]
      return step(key) ? [[each, at + 1]] : []
    }),
  )
}

/** Adds the positions after each `**`, which may match no step; each position once. */
function settle(positions: readonly Position[]): readonly Position[] {
  const settled: Position[] = []
  const seen = new Map<Mask, Set<number>>()
  const add = ([each, at]: Position): void => {
    const known = seen.get(each) ?? new Set()
    if (known.has(at)) return
    seen.set(each, known.add(at))
    settled.push([each, at])
    if (each.steps[at] === '**') add([each, at + 1])
  }
  for (const position of positions) add(position)
  return settled
}
