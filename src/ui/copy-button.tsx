import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'

/** Copies a text, made only when asked for, and shows for a moment that it did. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text())
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={label}
        onClick={() => {
          // A page without clipboard permission: the text can still be marked and copied by hand.
          copy().catch(() => setCopied(false))
        }}
      />
      <span className="visually-hidden" aria-live="polite">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}
