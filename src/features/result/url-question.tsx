import { ExternalLink } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import styles from './question-card.module.css'

interface UrlQuestionProps {
  /** http or https. */
  readonly url: string
  readonly isOpened: boolean
  readonly onOpened: () => void
}

/** An address that a server wants opened: shown whole, its host for itself, and opened by the user alone. */
export function UrlQuestion({ url, isOpened, onOpened }: UrlQuestionProps) {
  const { host, hostname, protocol, username, href } = new URL(url)
  const open = () => {
    // Without a way back to this page, and without its address.
    window.open(href, '_blank', 'noopener,noreferrer')
    onOpened()
  }
  return (
    <div className={styles.url} data-url>
      <p>
        It asks you to open this address in a new tab, on <strong className="mono">{host}</strong>. What
        happens there is between you and that host.
      </p>
      <p className={styles.address} data-testid="question-url">
        {href}
      </p>
      {protocol === 'http:' && <p className="notice">It is not encrypted (http).</p>}
      {username !== '' && (
        <p className="notice">
          The text before the @ is not the host: the address leads to <strong>{host}</strong>.
        </p>
      )}
      {/(^|\.)xn--/.test(hostname) && (
        <p className="notice">The host has letters of several scripts, which may look alike.</p>
      )}
      <Button look={isOpened ? 'plain' : 'primary'} onClick={open}>
        <ExternalLink size={14} aria-hidden /> {isOpened ? 'Open again' : `Open ${host.slice(0, 60)}`}
      </Button>
      <p className="note">Finish there, then accept. The server continues.</p>
    </div>
  )
}
