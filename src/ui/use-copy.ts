import { useState } from 'react'

/** A function that copies a text, and whether it has just done so. */
export function useCopy(): readonly [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false)
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return [
    copied,
    text => {
      // A page without clipboard permission: the text can still be marked and copied by hand.
      copy(text).catch(() => setCopied(false))
    },
  ]
}
