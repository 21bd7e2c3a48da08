/** References as in RFC 3986, because core/ has no DOM and so no `URL`. */

interface Uri {
  readonly scheme: string
  /** With its `//`, or empty. */
  readonly authority: string
  readonly path: string
  /** With its `?`, or empty. */
  readonly query: string
}

function parse(text: string): Uri {
  const match = /^([A-Za-z][\w+.-]*:)?(\/\/[^/?]*)?([^?]*)(\?.*)?$/s.exec(text)
  return {
    scheme: match?.[1] ?? '',
    authority: match?.[2] ?? '',
    path: match?.[3] ?? '',
    query: match?.[4] ?? '',
  }
}

function withoutDots(path: string): string {
  const result: string[] = []
  const steps = path.split('/')
  steps.forEach((step, index) => {
    const last = index === steps.length - 1
    if (step === '..') {
      if (result.length > 1) result.pop()
      if (last) result.push('')
    } else if (step === '.') {
      if (last) result.push('')
    } else result.push(step)
  })
  return result.join('/')
}

/** Returns the absolute reference without its fragment, and the fragment, still percent-encoded. */
export function resolveUri(reference: string, base: string): { uri: string; fragment: string } {
  const hash = reference.indexOf('#')
  const fragment = hash < 0 ? '' : reference.slice(hash + 1)
  const text = hash < 0 ? reference : reference.slice(0, hash)
  if (text === '') return { uri: base, fragment }
  const target = parse(text)
  const from = parse(base)
  if (target.scheme !== '') return { uri: text, fragment }
  if (target.authority !== '') return { uri: from.scheme + text, fragment }
  const folder = from.path.slice(0, from.path.lastIndexOf('/') + 1)
  const start = folder === '' && from.authority !== '' ? '/' : folder
  const path = target.path.startsWith('/') ? target.path : start + target.path
  const uri = from.scheme + from.authority + withoutDots(path) + target.query
  return { uri, fragment }
}

/** Decodes a percent-encoded text; returns an invalid one unchanged. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
