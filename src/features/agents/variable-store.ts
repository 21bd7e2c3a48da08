import { useCallback, useMemo } from 'react'
import { isObject, parseJson } from '../../../core/json/json.ts'
import { type Agent, variableValues } from '../../../core/tool/agent.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { storage } from '../../ui/storage.ts'
import { createStore, type Store, useStore } from '../../ui/store.ts'
import { agentId } from './agent-id.ts'

/** The values that were entered in this visit, secrets included; the browser's storage gets no secret. */
const stores = new Map<string, Store<EnteredValues>>()

const nothing = createStore<EnteredValues>({})

const keyOf = (id: string) => `toolscope:agent-variables:${id}`

function storeOf(id: string): Store<EnteredValues> {
  const found = stores.get(id)
  if (found) return found
  const store = createStore(parseStoredValues(storage.get(keyOf(id))))
  stores.set(id, store)
  return store
}

function write(id: string, entered: EnteredValues): void {
  storeOf(id).set(entered)
  const text = stringifyForStorage(entered)
  if (text === undefined) storage.remove(keyOf(id))
  else storage.set(keyOf(id), text)
}

/** What was entered for the agent's variables, and the way to enter (or, with undefined, take back) a value. */
export function useEnteredValues(agent: Agent) {
  const id = agentId(agent)
  const entered = useStore(storeOf(id))
  const enter = useCallback(
    (name: string, value: string | undefined) => write(id, withValue(storeOf(id).get(), name, value)),
    [id],
  )
  return { entered, enter }
}

/** The values that go with each call for this agent: entered ones, else defaults. Undefined where it has no variables. */
export function useCallVariables(agent: Agent | undefined): Readonly<Record<string, string>> | undefined {
  const entered = useStore(agent ? storeOf(agentId(agent)) : nothing)
  return useMemo(
    () => (agent && agent.variables.length > 0 ? variableValues(agent.variables, entered) : undefined),
    [agent, entered],
  )
}

/** By the variable's name. A variable that is absent has its default; an empty text is a value. */
export type EnteredValues = Readonly<Record<string, string>>

/** Characters; longer values are not written down. */
export const maxStoredLength = 20_000

/** Reads what `stringifyForStorage` wrote; whatever else stands there counts as nothing. */
export function parseStoredValues(text: string | null): EnteredValues {
  const value = parseJson(text ?? '')
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The values that may be written down, secrets left out; undefined where none is left. */
export function stringifyForStorage(entered: EnteredValues): string | undefined {
  const kept = Object.entries(entered).filter(
    ([name, value]) => !isSecretName(name) && value.length <= maxStoredLength,
  )
  return kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept))
}

/** The values with one more, or without it where `value` is undefined. */
export function withValue(entered: EnteredValues, name: string, value: string | undefined): EnteredValues {
  const others = Object.entries(entered).filter(([each]) => each !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}
