import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'

/** Copies a text, made only when asked for, and shows for a moment that it did. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [copied, copy] = useCopy()
  return (
    <>
      <IconButton icon={copied ? Check : Copy} label={label} onClick={() => copy(text())} />
      <span className="visually-hidden" aria-live="polite">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

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
