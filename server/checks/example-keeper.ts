/** Where examples are kept: files beside the configuration, else the store. */
import type { KeptExample } from '../../core/api/examples.ts'
import type { Example, ExampleProblem } from '../../core/checks/example.ts'
import type { Tool } from '../../core/tool/tool.ts'

/** A tool's address: its source's name, and its reference within the source (`greet`, `greet~2`). */
export interface ToolKey {
  readonly source: string
  readonly tool: string
}

export function toolKey({ source, ref }: Pick<Tool, 'source' | 'ref'>): ToolKey {
  return { source, tool: ref.slice(source.length + 1) }
}

export interface ExampleListing {
  readonly examples: readonly KeptExample[]
  readonly problems: readonly ExampleProblem[]
}

/** Every function rejects with an AppError where the place cannot be reached or written. */
export interface ExampleKeeper {
  /** Where that is, for people. */
  readonly place: string
  /** In the order of their names. What cannot be read is a problem and harms no other. */
  list(key: ToolKey): Promise<ExampleListing>
  /** Keeps an example under its name; the one that had this name goes. */
  save(key: ToolKey, example: Example): Promise<KeptExample>
  /** Forgets an example; none of that name is fine too. */
  remove(key: ToolKey, name: string): Promise<void>
  /** Gives a source's examples its new name. Those of both names stay as they are where there are some of the new one. */
  renameSource(name: string, next: string): Promise<void>
  /** Examples of the sources whose tool is not among those given. */
  strays(sources: readonly string[], tools: readonly ToolKey[]): Promise<readonly ExampleProblem[]>
}
