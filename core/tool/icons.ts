/**
 * Icons of servers, tools, prompts and resources. They are hostile, so none is fetched: only embedded pictures are
 * shown.
 */
import { isObject, own, withoutUndefined } from '../json/json.ts'
import type { Icon } from './tool.ts'

const maxIcons = 20
/** The limit for one address; base64 makes a picture a third longer. */
const maxCharacters = 256 * 1024

/** Returns the icons of a list that have an address, at most 20. Accepts any value. */
export function readIcons(value: unknown): readonly Icon[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, maxIcons).flatMap((icon: unknown): Icon[] => {
    if (!isObject(icon)) return []
    const text = (key: string) => {
      const given = own(icon, key)
      return typeof given === 'string' ? given : undefined
    }
    const src = text('src')
    if (src === undefined || src.length > maxCharacters) return []
    const sizes = own(icon, 'sizes')
    return [
      {
        src,
        ...withoutUndefined({ mimeType: text('mimeType'), theme: text('theme') }),
        ...(Array.isArray(sizes) ? { sizes: sizes.filter(size => typeof size === 'string') } : {}),
      },
    ]
  })
}

/** Returns whether the address contains the picture itself. An SVG in an `img` runs no script and loads nothing. */
export const isDataIcon = ({ src }: Icon): boolean =>
  /^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml|x-icon)[;,]/i.test(src)
