import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { useBackend } from '../../api/backend.ts'
import { resourceChangeKey, toolQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import styles from './tool-pane.module.css'

interface ResourceChangesProps {
  readonly tool: ToolDetail
  /** Reads the resource again; absent before the first read. */
  readonly reread: (() => void) | undefined
}

/** Follows a resource: shows when it changed, and reads it again. Renders nothing if its server reports no changes. */
export function ResourceChanges({ tool, reread }: ResourceChangesProps) {
  const { ref, source, uri = '', subscribed } = tool
  const backend = useBackend()
  const client = useQueryClient()
  const { data: changedAt } = useQuery<string>({
    queryKey: resourceChangeKey(source, uri),
    queryFn: skipToken,
  })
  const [openedWith] = useState(changedAt)
  const isNew = changedAt !== undefined && changedAt !== openedWith
  const onChange = useEffectEvent(() => reread?.())
  useEffect(() => {
    if (isNew && changedAt) onChange()
  }, [isNew, changedAt])
  const subscription = useMutation({
    mutationFn: () => backend.request('POST /api/subscriptions', { body: { ref, subscribed: !subscribed } }),
    onSuccess: answer =>
      client.setQueryData(toolQuery(backend, ref).queryKey, before => before && { ...before, ...answer }),
  })
  const refused = useRefusal('POST /api/subscriptions')
  if (subscribed === undefined || !backend.has('POST /api/subscriptions')) return null
  const Icon = subscribed ? BellOff : Bell
  return (
    <div className={join('row wrap', styles.changes)}>
      <Button
        aria-disabled={subscription.isPending}
        onClick={() => !subscription.isPending && subscription.mutate()}
        refused={refused}
      >
        <Icon size={14} aria-hidden /> {subscribed ? 'Unsubscribe' : 'Subscribe'}
      </Button>
      <span className="note" role="status">
        {isNew
          ? `Changed at ${formatTime(changedAt, new Date())}${reread !== undefined ? '; it was read again.' : '.'}`
          : subscribed && 'Its server reports every change.'}
      </span>
      <ErrorNote error={subscription.error} />
    </div>
  )
}
