/** What every field of one form shares, and how a field reads the draft. */
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
  /** What the schema says about secrets. */
  readonly secrets: SecretFields
  readonly idPrefix: string
  /** What the form is called, for screen readers. */
  readonly label: string
  /** What RJSF's fields and templates call to change a place. */
  readonly onChange: FieldProps['onChange']
}

export const FormScopeContext = createContext<FormScope | null>(null)

export function useFormScope(): FormScope {
  const scope = use(FormScopeContext)
  if (!scope) throw new Error('A field must be inside its form')
  return scope
}

/** The value at `path`; the caller renders again when it changes, and only then. */
export function useDraftValue(path: Path): Json | undefined {
  const { store } = useFormScope()
  const read = useCallback(() => store.get(path), [store, path])
  return useSyncExternalStore(store.subscribe, read)
}

/** Something derived from the draft: `read` must answer with primitives, or the same object while nothing changed. */
export function useDraftSelector<Answer>(read: (store: DraftStore) => Answer): Answer {
  const { store } = useFormScope()
  return useSyncExternalStore(store.subscribe, () => read(store))
}

export function useIssues(path: Path): readonly ValidationIssue[] {
  return useDraftSelector(store => store.issuesAt(path))
}

const children = new WeakMap<Path, Map<string | number, FieldPathList>>()

/** `path` and one more key; the same array every time, so that a field that got it does not render again. */
export function childPath(path: Path, key: string | number): FieldPathList {
  const known = children.get(path) ?? new Map<string | number, FieldPathList>()
  children.set(path, known)
  const child = known.get(key) ?? [...path, key]
  known.set(key, child)
  return child
}

const pathIds = new WeakMap<Path, FieldPathId>()

/** RJSF's name of a place; the same object every time. */
export function fieldPathId(prefix: string, path: FieldPathList): FieldPathId {
  const known = pathIds.get(path) ?? { $id: fieldId(prefix, path), path }
  pathIds.set(path, known)
  return known
}

/**
 * An id for the DOM. A `_` is always followed by four hexadecimal digits, and a `-` never stands in a path: no id of a place
 * is what RJSF (`__title`, `-0`) or a field of ours (`-kind`) makes of the id of another place.
 */
export function fieldId(prefix: string, path: Path): string {
  const pointer = toPointer(path).replace(/[^A-Za-z0-9]/g, character =>
    character === '/' ? '.' : `_${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${prefix}${pointer}`
}
