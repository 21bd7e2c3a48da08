/** Loads the parts of an export's data: scripts that each set a JSON text under their name (core/api/site.ts). */
import { AppError } from '../../core/errors.ts'

declare global {
  var toolscopeData: Record<string, string> | undefined
}

/** Loads a part of the data by its name. */
export type LoadPart = <Part>(name: string) => Promise<Part>

/** Returns a part that a script has loaded, and deletes its text to free memory. */
export function takePart<Part>(name: string): Part | undefined {
  const json = globalThis.toolscopeData?.[name]
  if (json === undefined) return undefined
  delete globalThis.toolscopeData?.[name]
  // Written by the same version of the program as this page, from the same types.
  return JSON.parse(json) as Part
}

/** Rejects with an AppError if the script is missing. @param folder relative to the page, `data/…` */
export function loadPart<Part>(folder: string, name: string): Promise<Part> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${folder}/${name}.js`
    const refuse = () =>
      reject(
        new AppError('internal', `${folder}/${name}.js could not be loaded.`, {
          hint: 'The export may have been replaced meanwhile: load the page again.',
        }),
      )
    script.addEventListener('load', () => {
      script.remove()
      const part = takePart<Part>(name)
      if (part === undefined) refuse()
      else resolve(part)
    })
    script.addEventListener('error', () => {
      script.remove()
      refuse()
    })
    document.head.append(script)
  })
}

/** The number of parts kept in memory; a site may have a hundred thousand tools. */
const most = 20

/** Returns a loader of numbered parts that keeps the last ones it loaded. */
export function createPartLoader<Part>(
  load: LoadPart,
  nameOf: (number: number) => string,
): (number: number) => Promise<Part> {
  const cached = new Map<number, Promise<Part>>()
  return number => {
    const known = cached.get(number)
    if (known) return known
    const loading = load<Part>(nameOf(number))
    cached.set(number, loading)
    // A failed part is loaded again at the next request.
    loading.catch(() => cached.delete(number))
    const [oldest] = cached.keys()
    if (cached.size > most && oldest !== undefined) cached.delete(oldest)
    return loading
  }
}
