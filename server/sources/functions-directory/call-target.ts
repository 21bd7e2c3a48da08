/** How a tool of the tree is called. */
export type CallTarget =
  /** `bin/<program> [<function>] '<json>'`. */
  | {
      readonly kind: 'program'
      readonly program: string
      readonly words: readonly string[]
      /** The agent whose variables the call carries, for its own tools. */
      readonly agent?: string
    }
  /** `POST /tools/<name>` of the MCP bridge. */
  | { readonly kind: 'bridge'; readonly name: string; readonly server: string }
