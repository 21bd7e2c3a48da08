/** Generates values of a schema by asking for values beyond the known ones. For tests only. */
import { isSubschema } from '../is-subschema.ts'

/** Returns up to `count` different values that the schema accepts. */
export function generateValues(schema: unknown, count: number): unknown[] {
  const found: unknown[] = []
  while (found.length < count) {
    const answer = isSubschema(schema, found.length === 0 ? false : { enum: found })
    if (answer.verdict !== 'refuted') break
    found.push(answer.witness)
  }
  return found
}
