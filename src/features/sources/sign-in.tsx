import { useMutation } from '@tanstack/react-query'
import { ExternalLink, LogIn, LogOut } from 'lucide-react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange, useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import styles from './sign-in.module.css'
import { texts } from './texts.ts'

/** The sign-in of a remote server: how to sign in, or out. Nothing if its server never required one. */
export function SignIn({ source }: { readonly source: SourceState }) {
  const { signIn, error } = source
  if (!useBackend().has('POST /api/sources/{name}/sign-in')) return null
  if (signIn === 'done') return <SignOut name={source.name} />
  return signIn === 'needed' ? (
    // A new reason resets the sign-in.
    <SignInNote
      key={error?.detail}
      name={source.name}
      why={error?.code === 'sign-in-needed' ? error : undefined}
    />
  ) : null
}

/** A sign-in button next to a tool whose source waits for one; else nothing. */
export function SignInNeeded({ source: name }: { readonly source: string }) {
  const source = useSources().data?.find(each => each.name === name)
  return source?.signIn === 'needed' ? <SignIn source={source} /> : null
}

interface SignInNoteProps {
  readonly name: string
  readonly why: SourceState['error'] | undefined
}

function SignInNote({ name, why }: SignInNoteProps) {
  const backend = useBackend()
  const begin = useMutation({
    // The window opens during the click, because browsers block later ones. Its address is set when it is known.
    mutationFn: async (opened: Window | null) => {
      try {
        const { url } = await backend.request('POST /api/sources/{name}/sign-in', { params: { name } })
        if (url === undefined) opened?.close()
        else opened?.location.replace(url)
        return url
      } catch (thrown) {
        opened?.close()
        throw thrown
      }
    },
  })
  const refused = useRefusal('POST /api/sources/{name}/sign-in')
  const { data: url, isPending, error } = begin
  return (
    <section className={styles.note} aria-label={texts.signInTitle} data-tone="warn">
      <div className="row wrap">
        <LogIn size={16} aria-hidden />
        <strong className="grow">{why?.detail ?? 'The server wants you to sign in.'}</strong>
        <Button
          look="primary"
          onClick={() => begin.mutate(window.open('about:blank', '_blank'))}
          disabled={isPending}
          refused={refused}
        >
          {isPending ? texts.opening : url === undefined ? texts.signIn : 'Start again'}
        </Button>
      </div>
      {url === undefined ? (
        <p className="muted">A window of your browser opens at the server’s own sign-in page.</p>
      ) : (
        <div className="stack" role="status">
          <p>
            Finish the sign-in in the other window; this source then opens by itself. The address of the
            sign-in:
          </p>
          <a className={styles.address} href={url} target="_blank" rel="noopener noreferrer nofollow">
            <code>{url}</code> <ExternalLink size={14} aria-label="opens a window" />
          </a>
        </div>
      )}
      <ErrorNote error={error} />
    </section>
  )
}

function SignOut({ name }: { readonly name: string }) {
  const backend = useBackend()
  const signingOut = useSourceChange(() =>
    backend.request('POST /api/sources/{name}/sign-out', { params: { name } }),
  )
  const refused = useRefusal('POST /api/sources/{name}/sign-out')
  return (
    <section className="row wrap" aria-label={texts.signInTitle}>
      <LogIn size={16} aria-hidden />
      <span>You are signed in. Calls send your token.</span>
      <Button onClick={() => signingOut.mutate()} disabled={signingOut.isPending} refused={refused}>
        <LogOut size={14} aria-hidden /> Sign out
      </Button>
      <ErrorNote error={signingOut.error} />
    </section>
  )
}
