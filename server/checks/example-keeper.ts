/** Where examples are kept: in files next to the configuration, else in the store. */
import type { StoredExample } from '../../core/api/examples.ts'
import type { Example, ExampleProblem } from '../../core/checks/example.ts'
import type { Tool } from '../../core/tool/tool.ts'

/** A tool's address: its source's name, and its reference within the source (`greet`, `greet~2`). */
export interface ToolKey {
  readonly source: string
  readonly tool: string
}

export function toExampleKey({ source, ref }: Pick<Tool, 'source' | 'ref'>): ToolKey {
  return { source, tool: ref.slice(source.length + 1) }
}

export interface ExampleListing {
  readonly examples: readonly StoredExample[]
  readonly problems: readonly ExampleProblem[]
}

/** Every function rejects with an AppError if the examples cannot be read or written. */
export interface ExampleKeeper {
  /** The location of the examples, as shown to the user. */
  readonly place: string
  /**
   * Returns the examples in the order of their names. An unreadable example is a problem and does not affect the
   * others.
   */
  list(key: ToolKey): Promise<ExampleListing>
  /** Saves an example under its name, and replaces the one of this name. */
  save(key: ToolKey, example: Example): Promise<StoredExample>
  /** Removes an example. Does nothing if none has this name. */
  remove(key: ToolKey, name: string): Promise<void>
  /** Gives a source's examples its new name. Changes nothing if the new name already has examples. */
  renameSource(name: string, next: string): Promise<void>
  /** Returns the examples of these sources whose tool is not in `tools`. */
  strays(sources: readonly string[], tools: readonly ToolKey[]): Promise<readonly ExampleProblem[]>
}
