/** What a search for a value ends with. */
export type Result =
  | { readonly kind: 'found'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unknown'; readonly reason: string; readonly path: string }

export const empty: Result = { kind: 'empty' }
