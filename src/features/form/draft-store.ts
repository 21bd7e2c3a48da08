import { jsonEquals } from '../../../core/json/equality.ts'
import { isObject, type Json, setOwnMember } from '../../../core/json/json.ts'
import { type JsonReading, readJson, writeJson } from '../../../core/json/json-text.ts'
import { type Path, pointerSegments, toPointer, valueAt } from '../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'

/** Holds the form's value outside React, so that a keystroke renders only the field that shows it. */
export class DraftStore {
  /** Counts replacements of the whole value from outside: choices made for an earlier value are void. */
  epoch = 0
  /** The placeholder text of each secret that was left out. */
  secretMarker: string | undefined
  /** Called after every change of the value. */
  onEdit: (() => void) | undefined
  private root: Json | undefined
  /** Objects that exist only because a key in them was set. Each is removed with its last key. */
  private implied = new Set<string>()
  private readonly issues: VisibleIssues
  private readonly listeners = new Set<() => void>()

  constructor(root: Json | undefined) {
    this.root = root
    this.issues = new VisibleIssues(root)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Returns the value at `path`; undefined if it is absent. */
  get(path: Path): Json | undefined {
    return readAtPath(this.root, path)
  }

  /** Sets a value and creates the objects and lists above it; `undefined` removes the value. */
  set(path: Path, value: Json | undefined): void {
    const next = withValue(this.root, path, 0, value)
    if (next === this.root) return
    if (value !== undefined) this.noteImplied(path)
    this.root = value === undefined ? this.withoutImplied(next, path) : next
    this.onEdit?.()
    this.emitChange()
  }

  /** Sets a list after its items were reordered. `order`: the former index of each item; undefined for a new one. */
  setItems(path: Path, items: readonly Json[], order: readonly (number | undefined)[]): void {
    this.issues.reorder(toPointer(path), order)
    this.set(path, items)
  }

  /** Replaces the whole value with one from outside. */
  replace(root: Json | undefined): void {
    this.issues.replace(this.root, root)
    this.root = root
    this.implied.clear()
    this.epoch++
    this.onEdit?.()
    this.emitChange()
  }

  setIssues(issues: readonly ValidationIssue[]): void {
    if (issues.length === 0 && this.issues.isEmpty) return
    this.issues.set(issues, this.root)
    this.emitChange()
  }

  /** Shows the issues at these JSON pointers from now on: the user has left them, or has tried a call. */
  showAt(pointers: readonly string[]): void {
    if (this.issues.showAt(pointers)) this.emitChange()
  }

  setSecretMarker(marker: string | undefined): void {
    if (marker === this.secretMarker) return
    this.secretMarker = marker
    this.emitChange()
  }

  /** Returns the issues to show at exactly this path. Returns the same array until issues change. */
  issuesAt(path: Path): readonly ValidationIssue[] {
    return this.issues.at(this.issues.isEmpty ? '' : toPointer(path))
  }

  /** Returns whether a location below the path has an issue to show. */
  hasIssueBelow(path: Path): boolean {
    return !this.issues.isEmpty && this.issues.isAnyBelow(toPointer(path))
  }

  private noteImplied(path: Path): void {
    this.implied.delete(toPointer(path))
    for (let length = 1; length < path.length; length++) {
      const holder = path.slice(0, length)
      if (this.get(holder) === undefined) this.implied.add(toPointer(holder))
    }
  }

  private withoutImplied(root: Json | undefined, path: Path): Json | undefined {
    let current = root
    for (let length = path.length - 1; length > 0; length--) {
      const holder = path.slice(0, length)
      const value = readAtPath(current, holder)
      const isItem = Array.isArray(readAtPath(current, holder.slice(0, -1)))
      if (isItem || !isObject(value) || Object.keys(value).length > 0) break
      if (!this.implied.delete(toPointer(holder))) break
      current = withValue(current, holder, 0, undefined)
    }
    return current
  }

  private emitChange(): void {
    for (const listener of this.listeners) listener()
  }
}

function readAtPath(root: Json | undefined, path: Path): Json | undefined {
  let current = root
  for (const key of path) current = readMember(current, key)
  return current
}

function withValue(
  holder: Json | undefined,
  path: Path,
  depth: number,
  value: Json | undefined,
): Json | undefined {
  const key = path[depth]
  if (key === undefined) return value
  const before = readMember(holder, key)
  const next = withValue(before, path, depth + 1, value)
  if (next === undefined && before === undefined) return holder
  if (Object.is(before, next)) return holder
  if (typeof key === 'number' || Array.isArray(holder)) {
    const list = Array.isArray(holder) ? [...holder] : []
    if (next === undefined) list.splice(Number(key), 1)
    else list[Number(key)] = next
    return list
  }
  const object = isObject(holder) ? { ...holder } : {}
  if (next === undefined) delete object[key]
  else setOwnMember(object, key, next)
  return object
}

function readMember(holder: Json | undefined, key: string | number): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined
  return (holder as { readonly [key: string | number]: Json })[key]
}

/* Issues are shown only at locations that the user has left, not at one that is being filled. */

const none: readonly ValidationIssue[] = []

/** Locations are JSON pointers. */
class VisibleIssues {
  private issues = new Map<string, readonly ValidationIssue[]>()
  private left = new Set<string>()
  /** The value as it was last set from outside. */
  private given: Json | undefined
  /** The value that was last replaced, and the locations that the user had left in it. */
  private replaced: { readonly root: Json | undefined; readonly left: Set<string> } | undefined

  constructor(given: Json | undefined) {
    this.given = given
  }

  /** Stores the issues. A value from outside that the user has not edited counts as left. */
  set(issues: readonly ValidationIssue[], root: Json | undefined): void {
    this.issues = new Map()
    for (const issue of issues) {
      this.issues.set(issue.path, [...(this.issues.get(issue.path) ?? []), issue])
      const path = pointerSegments(issue.path)
      const value = valueAt(root, path)
      if (value !== undefined && Object.is(value, valueAt(this.given, path))) this.left.add(issue.path)
    }
  }

  /** Marks the locations as left. Returns whether more issues are shown now. */
  showAt(pointers: readonly string[]): boolean {
    const fresh = pointers.filter(pointer => !this.left.has(pointer))
    for (const pointer of fresh) this.left.add(pointer)
    return fresh.some(pointer => this.issues.has(pointer))
  }

  /** Follows a replacement of the whole value. An empty value forgets the left locations; an undo restores them. */
  replace(before: Json | undefined, after: Json | undefined): void {
    const isUndo = this.replaced !== undefined && jsonEquals(this.replaced.root, after)
    const left = isUndo && this.replaced ? this.replaced.left : after === undefined ? [] : this.left
    this.replaced = { root: before, left: this.left }
    this.left = new Set(left)
    this.given = after
  }

  /** Follows a reordered list. `order`: the former index of each item; undefined for a new one. */
  reorder(list: string, order: readonly (number | undefined)[]): void {
    const start = `${list}/`
    const inList = [...this.left].filter(pointer => pointer.startsWith(start))
    for (const pointer of inList) this.left.delete(pointer)
    for (const pointer of inList) {
      const [index = '', ...rest] = pointer.slice(start.length).split('/')
      const moved = order.indexOf(Number(index))
      if (moved >= 0) this.left.add([list, moved, ...rest].join('/'))
    }
  }

  /** Returns the same array until issues change. */
  at(pointer: string): readonly ValidationIssue[] {
    return (this.left.has(pointer) && this.issues.get(pointer)) || none
  }

  /** Returns whether a location below this one has an issue to show. */
  isAnyBelow(pointer: string): boolean {
    const start = `${pointer}/`
    for (const each of this.issues.keys()) if (each.startsWith(start) && this.left.has(each)) return true
    return false
  }

  get isEmpty(): boolean {
    return this.issues.size === 0
  }
}

/** Pause in typing before the text is serialized. Leaving a field serializes it immediately. */
const pauseMs = 120

/** Keeps the form's draft and the page's text in sync, without serializing the draft at every keystroke. */
export class DraftText {
  readonly store: DraftStore
  private text: string
  private timer: ReturnType<typeof setTimeout> | undefined
  private listener: ((text: string) => void) | undefined
  private accepting = false
  private lastRead: { readonly text: string; readonly reading: JsonReading }

  constructor(text: string) {
    this.text = text
    const reading = readJson(text)
    this.lastRead = { text, reading }
    this.store = new DraftStore(reading.ok ? reading.value : undefined)
    this.store.onEdit = () => {
      if (this.accepting) return
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.flush(), pauseMs)
    }
  }

  /** Calls `listener` with each new text. Returns the function that stops it, after it emits pending edits. */
  onText(listener: (text: string) => void): () => void {
    this.listener = listener
    return () => {
      this.flush()
      this.listener = undefined
    }
  }

  /** Accepts a text from outside: the JSON tab, an example, a reset. The draft's own last text changes nothing. */
  accept(text: string): void {
    if (text !== this.text) this.replace(text)
  }

  /** Empties the draft and forgets which fields the user has left. */
  clear(): void {
    this.replace('')
  }

  private replace(text: string): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.text = text
    const reading = this.read(text)
    if (!reading.ok) return
    this.accepting = true
    this.store.replace(reading.value)
    this.accepting = false
  }

  /** Reads a text and caches the last reading. */
  read(text: string): JsonReading {
    if (text !== this.lastRead.text) this.lastRead = { text, reading: readJson(text) }
    return this.lastRead.reading
  }

  /** Writes pending edits to the text. Returns the current text. */
  flush(): string {
    if (this.timer === undefined) return this.text
    clearTimeout(this.timer)
    this.timer = undefined
    const value = this.store.get([])
    const text = writeJson(value)
    if (text !== this.text) {
      this.text = text
      this.lastRead = { text, reading: { ok: true, value } }
      this.listener?.(text)
    }
    return text
  }
}
