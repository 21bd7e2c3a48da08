/**
 * Returns whether the page shows the type as an image. SVG is safe as the source of an img: scripts in it do not run.
 */
export function isImageType(mimeType: string): boolean {
  return /^image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml|x-icon)$/i.test(mimeType)
}

export function isAudioType(mimeType: string): boolean {
  return /^audio\/[\w.+-]+$/i.test(mimeType)
}

/** Returns the number of bytes that a base64 text encodes. */
export function base64Size(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

/** Decodes a base64 text; undefined if it is invalid. */
export function decodeBase64(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(data), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Returns a file name for a resource: the end of its address, without characters that are special in a path. */
export function toResourceFileName(uri: string): string {
  const last = uri.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  return (
    last
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(-100) || 'resource'
  )
}
