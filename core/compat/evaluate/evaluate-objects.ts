import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { pointerStep } from '../../json/pointer.ts'
import { isSince } from '../../json-schema/keywords.ts'
import { type Check, checkCount, checkEntry, checkUnevaluated, type Failure, failure } from './failure.ts'

type ObjectCheck = Check<UnknownObject>

/** The keywords about objects, on one value. */
export function checkObject(check: ObjectCheck): Failure | undefined {
  return (
    checkCount(check, Object.keys(check.value).length, 'Properties') ??
    checkRequired(check) ??
    checkNames(check) ??
    checkProperties(check) ??
    checkDependencies(check) ??
    checkUnevaluated(check, 'unevaluatedProperties', Object.entries(check.value))
  )
}

function checkRequired({ value, context, schema }: ObjectCheck): Failure | undefined {
  const required = own(schema, 'required')
  const missing = Array.isArray(required)
    ? required.find(name => !Object.hasOwn(value, String(name)))
    : undefined
  return missing === undefined
    ? undefined
    : failure(context, 'required', `must have the property ${JSON.stringify(missing)}`)
}

function checkNames({ evaluator, value, context, schema }: ObjectCheck): Failure | undefined {
  if (own(schema, 'propertyNames') === undefined) return undefined
  if (!isSince(context.node.resource.dialect, 'draft-06')) return undefined
  for (const name of Object.keys(value)) {
    const inner = evaluator.inside(context, schema.propertyNames, ['propertyNames'])
    const outcome = evaluator.evaluate(name, { ...inner, path: `${inner.path}${pointerStep(name)}` })
    if (outcome.failure)
      return failure(
        context,
        'propertyNames',
        `has a property name that is not allowed: ${JSON.stringify(name)}`,
      )
  }
  return undefined
}

function entries(schema: UnknownObject, keyword: string): [string, unknown][] {
  const value = own(schema, keyword)
  return isObject(value) ? Object.entries(value) : []
}

function checkProperties(check: ObjectCheck): Failure | undefined {
  const { evaluator, value, schema } = check
  const properties = new Map(entries(schema, 'properties'))
  const patterns = entries(schema, 'patternProperties')
  const additional = own(schema, 'additionalProperties')
  for (const [name, item] of Object.entries(value)) {
    const rules: [unknown, string[]][] = []
    if (properties.has(name)) rules.push([properties.get(name), ['properties', name]])
    for (const [pattern, inner] of patterns)
      if (evaluator.matches(pattern, name)) rules.push([inner, ['patternProperties', pattern]])
    if (rules.length === 0 && additional !== undefined) rules.push([additional, ['additionalProperties']])
    for (const [inner, steps] of rules) {
      const found = checkEntry(check, [name, item], inner, steps)
      if (found) return found
    }
  }
  return undefined
}

function checkDependencies({ evaluator, value, context, schema, seen }: ObjectCheck): Failure | undefined {
  const keywords = isSince(context.node.resource.dialect, '2019-09')
    ? ['dependencies', 'dependentRequired', 'dependentSchemas']
    : ['dependencies']
  for (const keyword of keywords)
    for (const [name, needed] of entries(schema, keyword)) {
      if (!Object.hasOwn(value, name)) continue
      if (Array.isArray(needed)) {
        const missing = needed.find(other => !Object.hasOwn(value, String(other)))
        if (missing !== undefined)
          return failure(
            context,
            keyword,
            `must have the property ${JSON.stringify(missing)}, since it has ${JSON.stringify(name)}`,
          )
        continue
      }
      const outcome = evaluator.evaluate(value, evaluator.inside(context, needed, [keyword, name]))
      if (outcome.failure) return outcome.failure
      for (const one of outcome.seen) seen.add(one)
    }
  return undefined
}
