import { describe, expect, it } from 'vitest'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import type { Tool } from '../../../core/tool/tool.ts'
import { completionsAt, targetAt } from './completion.ts'

const commands: ConsoleCommand[] = [
  { command: 'api_greet', ref: 'acme/api greet', summary: 'Greet someone' },
  { command: 'api_deploy', ref: 'acme/api deploy' },
]
const tool: Tool = {
  name: 'api deploy',
  ref: 'acme/api deploy',
  source: 'acme',
  index: 0,
  callable: true,
  inputSchema: {
    type: 'object',
    required: ['build'],
    properties: {
      environment: { type: 'string', enum: ['dev', 'staging', 'prod', 'two words'] },
      build: { type: 'string' },
      quiet: { type: 'boolean' },
    },
  },
}

const labels = (text: string, caret = text.length) => {
  const target = targetAt(text, caret)
  return target === undefined ? undefined : completionsAt(target, commands, tool).map(item => item.label)
}

describe('console completion', () => {
  it('offers commands where a command is expected', () => {
    expect(labels('api_g')).toEqual(['api_greet'])
    expect(labels('x=$(api_d')).toEqual(['api_deploy'])
    expect(labels('for i in 1; do ')).toContain('api_greet')
    expect(labels('deploy')).toEqual(['api_deploy'])
  })

  it('offers flags, required ones first, and none twice', () => {
    expect(labels('api_deploy ')).toEqual(['--build', '--environment', '--quiet', '--dry-run', '--help'])
    expect(labels('api_deploy --build b-1 --')).toEqual(['--environment', '--quiet', '--dry-run', '--help'])
  })

  it('offers the values of an enum after a space and after =', () => {
    expect(labels('api_deploy --environment ')).toEqual(['dev', 'staging', 'prod', 'two words'])
    expect(labels('api_deploy --environment=s')).toEqual(['staging'])
    expect(labels('api_deploy --quiet=')).toEqual(['true', 'false'])
    expect(labels('api_deploy --quiet ')).toContain('--build')
    const target = targetAt('api_deploy --environment two', 28)
    expect(target && completionsAt(target, commands, tool)[0]?.insert).toBe("'two words' ")
  })

  it('offers tools after help, and flags after discover', () => {
    expect(labels('help api_d')).toEqual(['api_deploy'])
    expect(labels('discover --')).toContain('--search')
  })

  it('offers nothing in strings and comments', () => {
    expect(labels('echo "api_')).toBeUndefined()
    expect(labels('# api_')).toBeUndefined()
  })
})
