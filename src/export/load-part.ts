/** Loads the parts of an export's data: scripts that leave a JSON text under their name (core/api/site.ts). */
import { AppError } from '../../core/errors.ts'

declare global {
  var toolscopeData: Record<string, string> | undefined
}

/** A part of the data by its name. */
export type LoadPart = <Part>(name: string) => Promise<Part>

/** A part that a script has already brought. It is taken away: what is parsed need not be kept twice. */
export function takePart<Part>(name: string): Part | undefined {
  const json = globalThis.toolscopeData?.[name]
  if (json === undefined) return undefined
  delete globalThis.toolscopeData?.[name]
  // Written by the same version of the program as this page, from the same types.
  return JSON.parse(json) as Part
}

/** Rejects with an AppError where the script is not there. @param folder relative to the page, `data/…` */
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

/** Parts that are kept in memory; a site may have a hundred thousand tools. */
const most = 20

/** Loads numbered parts, each once while it is among the last ones asked for. */
export function keptParts<Part>(
  load: LoadPart,
  nameOf: (number: number) => string,
): (number: number) => Promise<Part> {
  const kept = new Map<number, Promise<Part>>()
  return number => {
    const known = kept.get(number)
    if (known) return known
    const loading = load<Part>(nameOf(number))
    kept.set(number, loading)
    // What failed once may be there the next time.
    loading.catch(() => kept.delete(number))
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    return loading
  }
}
