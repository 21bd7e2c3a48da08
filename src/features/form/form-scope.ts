/** The state that all fields of one form share, and the hooks that read the draft. */
import type { FieldPathId, FieldPathList, FieldProps } from '@rjsf/utils'
import { createContext, use, useCallback, useSyncExternalStore } from 'react'
import type { FormPlanner } from '../../../core/form/form-schema.ts'
import type { Json } from '../../../core/json/json.ts'
import { type Path, toPointer } from '../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { SecretFields } from '../../../core/tool/is-secret.ts'
import type { DraftStore } from './draft-store.ts'
import type { FormFocus } from './form-focus.ts'

export interface FormScope {
  readonly store: DraftStore
  readonly focus: FormFocus
  readonly planner: FormPlanner
  /** The secret fields of the schema. */
  readonly secrets: SecretFields
  readonly idPrefix: string
  /** The form's accessible name. */
  readonly label: string
  /** Changes a value; RJSF's fields and templates call it. */
  readonly onChange: FieldProps['onChange']
}

export const FormScopeContext = createContext<FormScope | null>(null)

export function useFormScope(): FormScope {
  const scope = use(FormScopeContext)
  if (!scope) throw new Error('A field must be inside its form')
  return scope
}

/** Returns the value at `path`. The caller renders again only when that value changes. */
export function useDraftValue(path: Path): Json | undefined {
  const { store } = useFormScope()
  const read = useCallback(() => store.get(path), [store, path])
  return useSyncExternalStore(store.subscribe, read)
}

/** Returns a value derived from the draft. `read` must return a primitive, or the same object until it changes. */
export function useDraftSelector<Answer>(read: (store: DraftStore) => Answer): Answer {
  const { store } = useFormScope()
  return useSyncExternalStore(store.subscribe, () => read(store))
}

export function useIssues(path: Path): readonly ValidationIssue[] {
  return useDraftSelector(store => store.issuesAt(path))
}

const children = new WeakMap<Path, Map<string | number, FieldPathList>>()

/** Returns `path` with one more key. The array is cached, so that its field does not render again. */
export function childPath(path: Path, key: string | number): FieldPathList {
  const known = children.get(path) ?? new Map<string | number, FieldPathList>()
  children.set(path, known)
  const child = known.get(key) ?? [...path, key]
  known.set(key, child)
  return child
}

const pathIds = new WeakMap<Path, FieldPathId>()

/** Returns RJSF's id object for a path; the object is cached. */
export function fieldPathId(prefix: string, path: FieldPathList): FieldPathId {
  const known = pathIds.get(path) ?? { $id: fieldId(prefix, path), path }
  pathIds.set(path, known)
  return known
}

/**
 * Returns a DOM id. Each `_` is followed by four hexadecimal digits and a path contains no `-`, so no id equals one
 * that RJSF (`__title`, `-0`) or our fields (`-kind`) derive from another id.
 */
export function fieldId(prefix: string, path: Path): string {
  const pointer = toPointer(path).replace(/[^A-Za-z0-9]/g, character =>
    character === '/' ? '.' : `_${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${prefix}${pointer}`
}
