/** Validates generated inputs against one schema, and makes values for its parts. */
import { SchemaEvaluator } from '../compat/evaluate.ts'
import { metaSchemas } from '../compat/meta-schemas.ts'
import { Registry } from '../compat/registry.ts'
import type { SchemaFailure } from '../compat/schema-failure.ts'
import { createPartSampler, type SampleOptions } from '../form/sample.ts'
import type { Json } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'
import { detectDialect } from '../schema/dialect.ts'
import type { Dialect } from '../schema/keywords.ts'
import type { SchemaObject } from '../schema/schema.ts'
import { allSchemas, buildFullPath } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { matchLinearly } from '../validation/safe-pattern.ts'
import { isOfFormat } from '../validation/string-formats.ts'

/** Steps for all samples of one schema (core/compat/proof-limits.ts). */
const maxSteps = 2_000_000

export interface InputChecks {
  readonly root: JsonSchema
  readonly dialect: Dialect
  /** Returns why a value breaks the whole schema, or a part of it; undefined if the schema is broken. Never throws. */
  check(value: Json, part?: JsonSchema): readonly SchemaFailure[] | undefined
  isValid(value: Json, part?: JsonSchema): boolean
  /** Returns a value for a part, which is valid if a few tries find one. */
  sample(part: JsonSchema, options?: SampleOptions): Json
  /** Returns the JSON Pointer to a schema inside the root; '' if it is not inside. */
  locate(schema: SchemaObject): string
  /** Why no value can be validated. */
  readonly problem: string | undefined
}

export function createInputChecks(root: JsonSchema): InputChecks {
  const dialect = detectDialect(root)
  const pointers = new Map<SchemaObject, string>()
  for (const visited of allSchemas(root))
    if (!pointers.has(visited.schema)) pointers.set(visited.schema, toPointer(buildFullPath(visited)))
  let problem: string | undefined
  const evaluate = attempt(() => {
    const registry = new Registry(root, dialect, metaSchemas(), 0)
    // The inputs are copies of a few ones with another part.
    const options = { matches: matchLinearly, isOfFormat, maxDepth: 400, sharesParts: true }
    const evaluator = new SchemaEvaluator(registry, options)
    return (value: Json, part: JsonSchema) =>
      evaluator.check(value, part === root ? registry.root : registry.child(registry.root, part))
  })
  const sample = createPartSampler(root, maxSteps)
  const check = (value: Json, part = root) => attempt(() => evaluate?.(value, part))
  return {
    root,
    dialect,
    check,
    isValid: (value, part) => check(value, part)?.length === 0,
    sample,
    locate: schema => pointers.get(schema) ?? '',
    get problem() {
      return problem
    },
  }

  /** A broken schema, a missing reference and a pattern without an engine end a validation. */
  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (thrown) {
      problem ??= thrown instanceof Error ? thrown.message : String(thrown)
      return undefined
    }
  }
}
