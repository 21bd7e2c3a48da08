import { useCallback, useMemo } from 'react'
import { isObject, parseJson } from '../../../core/json/json.ts'
import { type Agent, variableValues } from '../../../core/tool/agent.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { storage } from '../../ui/storage.ts'
import { createStore, useStore, type ValueStore } from '../../ui/value-store.ts'
import { agentId } from './agent-id.ts'

/** The values entered during this visit, with secrets; the browser's storage gets no secret. */
const stores = new Map<string, ValueStore<EnteredValues>>()

const nothing = createStore<EnteredValues>({})

const toStorageKey = (id: string) => `toolscope:agent-variables:${id}`

function getOrCreateStore(id: string): ValueStore<EnteredValues> {
  const found = stores.get(id)
  if (found) return found
  const store = createStore(parseStoredValues(storage.get(toStorageKey(id))))
  stores.set(id, store)
  return store
}

function write(id: string, entered: EnteredValues): void {
  getOrCreateStore(id).set(entered)
  const text = stringifyForStorage(entered)
  if (text === undefined) storage.remove(toStorageKey(id))
  else storage.set(toStorageKey(id), text)
}

/**
 * Returns the values entered for the agent's variables, and a function that sets a value, or removes it with undefined.
 */
export function useEnteredValues(agent: Agent) {
  const id = agentId(agent)
  const entered = useStore(getOrCreateStore(id))
  const enter = useCallback(
    (name: string, value: string | undefined) =>
      write(id, withValue(getOrCreateStore(id).get(), name, value)),
    [id],
  )
  return { entered, enter }
}

/**
 * Returns the values to send with each call for this agent: entered ones, else defaults. Undefined without variables.
 */
export function useCallVariables(agent: Agent | undefined): Readonly<Record<string, string>> | undefined {
  const entered = useStore(agent ? getOrCreateStore(agentId(agent)) : nothing)
  return useMemo(
    () => (agent && agent.variables.length > 0 ? variableValues(agent.variables, entered) : undefined),
    [agent, entered],
  )
}

/** Values by the variable's name. An absent variable has its default; an empty text is a value. */
export type EnteredValues = Readonly<Record<string, string>>

/** Characters; longer values are not stored. */
export const maxStoredLength = 20_000

/** Reads the output of `stringifyForStorage`; ignores anything else. */
export function parseStoredValues(text: string | null): EnteredValues {
  const value = parseJson(text ?? '')
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Returns the values to store, without secrets; undefined if there are none. */
export function stringifyForStorage(entered: EnteredValues): string | undefined {
  const storable = Object.entries(entered).filter(
    ([name, value]) => !isSecretName(name) && value.length <= maxStoredLength,
  )
  return storable.length === 0 ? undefined : JSON.stringify(Object.fromEntries(storable))
}

/** Returns the values with one set, or without it if `value` is undefined. */
export function withValue(entered: EnteredValues, name: string, value: string | undefined): EnteredValues {
  const others = Object.entries(entered).filter(([each]) => each !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}
