import { Check, Copy } from 'lucide-react'
import { IconButton } from './icon-button.tsx'
import { useCopy } from './use-copy.ts'

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
