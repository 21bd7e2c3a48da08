import { useCallback, useMemo } from 'react'
import type { Agent } from '../../../core/agent/agent.ts'
import { variableValues } from '../../../core/agent/variables.ts'
import { storage } from '../../ui/storage.ts'
import { createStore, type Store, useStore } from '../../ui/store.ts'
import { agentId } from './agent-id.ts'
import { type GivenValues, keptText, readKept, withValue } from './kept-values.ts'

/** Values of this visit, secrets and all; only what is fit for it is written down. */
const stores = new Map<string, Store<GivenValues>>()

const nothing = createStore<GivenValues>({})

const keyOf = (id: string) => `toolscope:agent-variables:${id}`

function storeOf(id: string): Store<GivenValues> {
  const found = stores.get(id)
  if (found) return found
  const store = createStore(readKept(storage.get(keyOf(id))))
  stores.set(id, store)
  return store
}

function write(id: string, given: GivenValues): void {
  storeOf(id).set(given)
  const text = keptText(given)
  if (text === undefined) storage.remove(keyOf(id))
  else storage.set(keyOf(id), text)
}

/** What was given for the agent's variables, and the way to give (or, with undefined, take back) a value. */
export function useGivenValues(agent: Agent) {
  const id = agentId(agent)
  const given = useStore(storeOf(id))
  const give = useCallback(
    (name: string, value: string | undefined) => write(id, withValue(storeOf(id).get(), name, value)),
    [id],
  )
  return { given, give }
}

/** The values that go with each call for this agent: given ones, else defaults. Undefined where it has no variables. */
export function useCallVariables(agent: Agent | undefined): Readonly<Record<string, string>> | undefined {
  const given = useStore(agent ? storeOf(agentId(agent)) : nothing)
  return useMemo(
    () => (agent && agent.variables.length > 0 ? variableValues(agent.variables, given) : undefined),
    [agent, given],
  )
}
