/** The limits of a script that the user can set; this browser stores those that differ from the defaults. */
import { isObject, parseJson } from '../../../core/json/json.ts'
import { defaultScriptLimits, type ScriptLimits } from '../../../core/script/protocol.ts'
import { storage } from '../../ui/storage.ts'
import { createStore } from '../../ui/value-store.ts'

const key = 'toolscope:console:limits'

export interface LimitField {
  readonly name: 'timeMs' | 'calls' | 'commands' | 'loopTurns'
  readonly label: string
  /** Factor from the entered number to the unit of the limit. */
  readonly factor: number
  /** The largest number that can be entered; the engine itself allows at most 100,000 commands. */
  readonly max: number
}

export const limitFields: readonly LimitField[] = [
  { name: 'timeMs', label: 'Seconds for the whole script', factor: 1_000, max: 86_400 },
  { name: 'calls', label: 'Calls of tools', factor: 1, max: 1_000_000 },
  { name: 'commands', label: 'Command limit (a tool call counts as 5)', factor: 1, max: 100_000 },
  { name: 'loopTurns', label: 'Iterations of one loop', factor: 1, max: 1_000_000 },
]

export type EnteredLimits = Readonly<Partial<Record<LimitField['name'], number>>>

/** Reads the stored limits; ignores a value that is not a valid limit. */
export function parseLimits(text: string | null): EnteredLimits {
  const stored = parseJson(text ?? '')
  const values: Partial<Record<string, unknown>> = isObject(stored) ? stored : {}
  return Object.fromEntries(
    limitFields.flatMap(({ name, factor, max }) => {
      const value = values[name]
      const isLimit =
        typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max * factor
      return isLimit && value !== defaultScriptLimits[name] ? [[name, value]] : []
    }),
  )
}

export const enteredLimits = createStore(parseLimits(storage.get(key)))

export function setLimits(limits: EnteredLimits): void {
  const valid = parseLimits(JSON.stringify(limits))
  enteredLimits.set(valid)
  if (Object.keys(valid).length === 0) storage.remove(key)
  else storage.set(key, JSON.stringify(valid))
}

/** Returns the limits of the next run. */
export function currentLimits(): ScriptLimits {
  return { ...defaultScriptLimits, ...enteredLimits.get() }
}
