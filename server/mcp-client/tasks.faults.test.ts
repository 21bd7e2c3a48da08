/** Tasks of servers that misbehave, and questions without end: each call has a clear end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GivenAnswer } from '../../core/tool/question.ts'
import type { CallTask } from '../../core/tool/task.ts'
import type { CallOptions, Session } from '../sources/source.ts'
import { callAndWait, resolveInRepository, testContext, toolNamed } from '../sources/testkit.ts'
import { mcpServer } from './mcp-server.ts'

const fixture = resolveInRepository('server/sources/fixtures/mcp-tasks.mjs')

async function open(...words: string[]): Promise<Session> {
  const config = { command: [process.execPath, fixture, ...words] }
  const session = await mcpServer.open(config, { name: 'tasks', sampling: true }, testContext)
  onTestFinished(() => session.close())
  return session
}

async function call(session: Session, name: string, options: Partial<CallOptions> = {}) {
  const { events, ending } = await callAndWait(session, await toolNamed(session, name), {}, options)
  const tasks: CallTask[] = events.flatMap(event => (event.type === 'task' ? [event.task] : []))
  return { events, ending, tasks }
}

const limits = { timeoutMs: 500, progressResetsTimeout: true }
const long = { timeout: 120_000 }

describe.each(['legacy', 'modern'])('bad task of a %s MCP server', era => {
  it('that never ends is left at the longest time of its call', long, async () => {
    const { ending, tasks } = await call(await open(era), 'endless', limits)
    expect(ending).toMatchObject({ reason: 'timeout' })
    expect(ending).toHaveProperty('message', expect.stringContaining(`its task ${tasks[0]?.taskId}`))
  })

  it('that changes between two states is left at the longest time of its call', long, async () => {
    const { ending, tasks } = await call(await open(era), 'loops', limits)
    expect(ending).toMatchObject({ reason: 'timeout' })
    expect(tasks.length).toBeGreaterThan(1)
  })

  it('that vanishes, or was never known, is an error of the server', long, async () => {
    const session = await open(era)
    const vanished = await call(session, 'vanishes')
    const unknown = await call(session, 'quick', { taskId: 'task-quick-99' })
    for (const { ending } of [vanished, unknown])
      expect(ending).toHaveProperty('message', expect.stringContaining('Task not found'))
  })

  it('is not taken for another one after a restart that forgot it', long, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolscope-tasks-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const first = await open(era, folder)
    const left = await call(first, 'endless', { timeoutMs: 300 })
    await first.close()
    const again = await call(await open(era, folder), 'endless', {
      taskId: left.tasks[0]?.taskId,
      timeoutMs: 500,
    })
    expect(again.ending).toMatchObject({ reason: 'timeout' })
    const forgotten = await call(await open(era), 'endless', { taskId: left.tasks[0]?.taskId })
    expect(forgotten.ending).toHaveProperty('message', expect.stringContaining('Task not found'))
  })

  it('with a result of 100 MB ends with it, or says that it is too large', long, async () => {
    const session = await open(era)
    const { ending } = await call(session, 'huge', { timeoutMs: 60_000 })
    if (ending.type === 'result') expect(JSON.stringify(ending.content).length).toBeGreaterThan(100_000_000)
    else expect(ending.message).toMatch(/MiB|MB|too large|larger/)
    expect((await call(session, 'quick')).ending).toMatchObject({ type: 'result' })
  })

  it('that floods notifications of its status still ends with its result', long, async () => {
    const { ending } = await call(await open(era), 'floods', { timeoutMs: 60_000 })
    expect(ending).toMatchObject({ type: 'result', structuredContent: { n: 7 } })
  })

  it('that asks a model a thousand times is ended after 20 questions', long, async () => {
    let askedCount = 0
    const answer = async (): Promise<GivenAnswer> => {
      askedCount += 1
      return { action: 'accept', content: { text: 'Hi' }, by: 'person' }
    }
    const { ending } = await call(await open(era), 'asks-a-model', { answer, timeoutMs: 60_000 })
    expect(ending).toHaveProperty('message', expect.stringContaining('more than 20 questions'))
    expect(askedCount).toBe(20)
  })
})
