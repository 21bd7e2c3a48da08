import { useEffect, useState } from 'react'
import { bytesOf } from './media.ts'

/** A URL for base64 data while the component is mounted; undefined without a type, or where the data are broken. */
export function useDataUrl(data: string, mimeType: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const bytes = mimeType === undefined ? undefined : bytesOf(data)
    if (!bytes) return
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType ?? '' }))
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [data, mimeType])
  return url
}
