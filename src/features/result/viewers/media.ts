/** Types the page shows as pictures. SVG is safe as the source of an img: scripts in it do not run. */
export function isImageType(mimeType: string): boolean {
  return /^image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml|x-icon)$/i.test(mimeType)
}

export function isAudioType(mimeType: string): boolean {
  return /^audio\/[\w.+-]+$/i.test(mimeType)
}

/** Bytes that a base64 text stands for. */
export function base64Size(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

/** The bytes of a base64 text; undefined where it is none. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(data), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** A name to save a resource under: the end of its address, without what a file system would read. */
export function fileNameOf(uri: string): string {
  const last = uri.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  return (
    last
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(-100) || 'resource'
  )
}
