import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBackend } from '../../api/backend.ts'
import { wireOfCallQuery } from '../../api/wire.ts'

interface WireLinkProps {
  readonly source: string
  readonly callId: string
}

/** A link to the messages of a call; nothing if the wire has none of them any more. */
export function WireLink({ source, callId }: WireLinkProps) {
  const { data } = useQuery(wireOfCallQuery(useBackend(), source, callId))
  if (data === undefined || data.matches === 0) return null
  return (
    <Link to="/wire" search={{ source, call: callId }} className="link">
      Wire of this call
    </Link>
  )
}
