/** What a recipe of "Copy as" is made from. */
import type { SourceState } from '../api/api.ts'
import type { Tool } from '../tool/tool.ts'

export interface CopyContext {
  readonly tool: Pick<Tool, 'ref' | 'name' | 'inputSchema' | 'extra'>
  readonly source: Pick<SourceState, 'kind' | 'label' | 'format' | 'toolCount' | 'argument' | 'inputFlag'>
  /** JSON on one line, secrets masked; from `copyInput`. */
  readonly input: string
  /** The agent's variables that go with the call, secrets masked; empty where there are none. */
  readonly variables: Readonly<Record<string, string>>
  /** Of our own server: `http://127.0.0.1:4477`. */
  readonly origin: string
}

/** A text to paste, or undefined where the tool cannot be called that way. */
export type Recipe = (context: CopyContext) => string | undefined
