import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../core/tool/agent.ts'
import { agentOfTool } from './agent-id.ts'

const agent = (name: string, own: readonly string[], shared: readonly string[] = []): Agent => ({
  source: 'tree',
  name,
  instructions: '',
  variables: [],
  conversationStarters: [],
  documents: [],
  problems: [],
  ownTools: own.map(ref => ({ ref, name: ref })),
  sharedTools: shared.map(ref => ({ ref, name: ref })),
  builtIn: {
    __os__: '',
    __os_family__: '',
    __arch__: '',
    __shell__: '',
    __locale__: '',
    __now__: '',
    __cwd__: '',
    __tools__: '',
  },
})

describe('agentOfTool', () => {
  const agents = [agent('a', ['tree/a one'], ['tree/both']), agent('b', ['tree/b one'], ['tree/both'])]
  const nameOf = (ref: string, named?: string) => agentOfTool(agents, { ref }, named)?.name

  it('returns the owner of an own tool', () => {
    expect(nameOf('tree/b one')).toBe('b')
    expect(nameOf('tree/b one', 'tree/a')).toBe('b')
  })

  it('returns the named agent for a shared tool, and nothing without a name', () => {
    expect(nameOf('tree/both', 'tree/b')).toBe('b')
    expect(nameOf('tree/both')).toBeUndefined()
    expect(nameOf('tree/other', 'tree/b')).toBeUndefined()
  })
})
