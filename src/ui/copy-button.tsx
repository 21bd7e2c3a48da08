import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'

/** Copies a text, which is created on click, and shows briefly that it did. */
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

/** Returns whether a text was just copied, and the function that copies one. */
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
      // Without clipboard permission, the user can still select and copy the text.
      copy(text).catch(() => setCopied(false))
    },
  ]
}
