import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { Agent } from '../../../core/tool/agent.ts'
import { messageBeside } from '../../../core/tool/message-beside.ts'
import { useBackend } from '../../api/backend.ts'
import { endpointQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import { AgentInstructions } from './agent-instructions.tsx'
import { useCallVariables } from './variable-store.ts'

const key = 'POST /api/agents/{source}/{name}/instructions'

/** What the agent's function `_instructions` gives, run when the page opens and when the user asks for it again. */
export function DynamicInstructions({ agent }: { readonly agent: Agent }) {
  const { source, name } = agent
  const variables = useCallVariables(agent) ?? {}
  const refused = useRefusal(key)
  const query = endpointQuery(useBackend(), ['agent-instructions', source, name], key, {
    params: { source, name },
    body: { variables },
  })
  // Another page may have built the agent meanwhile: it is run each time that its page opens.
  const options = {
    ...query,
    enabled: query.enabled === true && refused === undefined,
    gcTime: 0,
    retry: false,
  }
  const { data, error, isFetching, refetch } = useQuery(options)
  const problem = data && 'problem' in data ? data.problem : undefined
  return (
    <>
      <AgentInstructions agent={agent} text={data && 'text' in data ? data.text : agent.instructions} />
      <section className="stack" aria-label="Dynamic instructions">
        <div className="row wrap">
          <span className="note grow">
            {isFetching
              ? 'The agent’s function _instructions runs…'
              : 'Written by the agent’s function _instructions, with the variables at the time of that run.'}
          </span>
          <Button onClick={() => void refetch()} disabled={isFetching} refused={refused}>
            <RotateCw size={14} aria-hidden /> Run again
          </Button>
        </div>
        <ErrorNote error={error} />
        {problem && (
          <>
            <p role="alert">
              No text: {messageBeside(problem.message, problem.stderr ?? '') || 'it failed'}. {problem.hint}
            </p>
            {problem.stderr && <TextBox maxHeight={200}>{problem.stderr.slice(0, 20_000)}</TextBox>}
          </>
        )}
      </section>
    </>
  )
}
