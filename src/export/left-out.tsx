/**
 * Stands in for parts of the page that an export does not have (vite.config.ts puts it there). The read-only backend
 * hides whatever would show them, so to reach one is a mistake.
 */
function missing(): never {
  throw new Error('An export has no forms and makes no calls')
}

export const InputEditor = missing
export const ExamplesTab = missing
export const exampleText = missing
export const defaultsText = missing

/** Nothing is judged where nothing is filled in. */
export async function problemsOf(): Promise<readonly []> {
  return []
}
