import { ExternalLink } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import styles from './question-card.module.css'
import { texts } from './question-texts.ts'

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
        {texts.openAddressStart} <strong className="mono">{host}</strong>
        {texts.openAddressEnd}
      </p>
      <p className={styles.address} data-testid="question-url">
        {href}
      </p>
      {protocol === 'http:' && <p className="notice">{texts.notEncrypted}</p>}
      {username !== '' && (
        <p className="notice">
          {texts.userInfoWarning} <strong>{host}</strong>.
        </p>
      )}
      {/(^|\.)xn--/.test(hostname) && <p className="notice">{texts.otherScriptsWarning}</p>}
      <Button look={isOpened ? 'plain' : 'primary'} onClick={open}>
        <ExternalLink size={14} aria-hidden />{' '}
        {isOpened ? texts.openAgain : texts.openHost(host.slice(0, 60))}
      </Button>
      <p className="note">{texts.afterOpening}</p>
    </div>
  )
}
