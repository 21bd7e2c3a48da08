/** The console's only run. Any part of the page can start, watch and cancel it. */
import type { QueryClient } from '@tanstack/react-query'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { toErrorMessage } from '../../../core/errors.ts'
import { type RunningScript, runScript } from '../../../core/script/run-script.ts'
import { describeConfirmRefusal, type ScriptHost } from '../../../core/script/script-tools.ts'
import type { ScriptEvent } from '../../../core/script/trace.ts'
import type { Backend } from '../../api/backend.ts'
import { toolQuery } from '../../api/queries.ts'
import { createStore } from '../../ui/value-store.ts'
import { browserSandbox, prepareSandbox } from './browser-sandbox.ts'
import { type ConsoleRun, foldRun, startConsoleRun } from './console-state.ts'
import { currentLimits } from './script-limits.ts'

/** The newest run; it continues while the user is on another page. */
export const consoleRun = createStore<ConsoleRun | undefined>(undefined)

let cancelCurrent = () => {}

/** Milliseconds between two updates of the page while events stream in. */
const updateIntervalMs = 60

export interface RunRequest {
  readonly script: string
  readonly backend: Backend
  readonly client: QueryClient
  readonly commands: readonly ConsoleCommand[]
  /** Refs of the confirmed tools. */
  readonly confirmed: ReadonlySet<string>
}

/** Runs a script, and cancels a running one first. Never rejects: every failure is an ending. */
export async function startRun(request: RunRequest): Promise<void> {
  cancelRun()
  const pressedAt = performance.now()
  let state = startConsoleRun(request.script, pressedAt)
  let waiting: ScriptEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  consoleRun.set(state)
  const isCurrent = () => consoleRun.get()?.pressedAt === pressedAt
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const wasCurrent = isCurrent()
    state = foldRun(state, waiting)
    waiting = []
    // A newer run may have replaced this one on the page.
    if (wasCurrent) consoleRun.set(state)
  }
  const addEvent = (event: ScriptEvent) => {
    waiting.push(event)
    if (event.type === 'end') flush()
    else timer ??= setTimeout(flush, updateIntervalMs)
  }
  try {
    let isCancelled = false
    let running: RunningScript | undefined
    cancelCurrent = () => {
      isCancelled = true
      running?.cancel()
    }
    const sandbox = await browserSandbox()
    running = runScript({
      script: request.script,
      world: worldOfPage(request),
      sandbox,
      limits: currentLimits(),
      clock: {
        now: () => performance.now(),
        after(ms, act) {
          const timer = setTimeout(act, ms)
          return () => clearTimeout(timer)
        },
      },
      onEvent: addEvent,
    })
    // The user may cancel while the engine loads.
    if (isCancelled) running.cancel()
    await running.ended
  } catch (thrown) {
    const durationMs = performance.now() - pressedAt
    const end = { ending: 'broken', exitCode: 125, message: toErrorMessage(thrown), durationMs } as const
    addEvent({ type: 'end', end })
  }
  void prepareSandbox()
}

/** Ends the run immediately. */
export function cancelRun(): void {
  cancelCurrent()
  cancelCurrent = () => {}
}

function worldOfPage({ backend, client, commands, confirmed }: RunRequest): ScriptHost {
  const refs = new Map(commands.map(({ command, ref }) => [command, ref]))
  return {
    commands: commands.map(({ command }) => command),
    tool: command => client.fetchQuery(toolQuery(backend, refs.get(command) ?? command)),
    help: (name, words) =>
      backend.request('POST /api/commands/help', {
        body: { name: name === 'discover' ? name : 'help', words },
      }),
    validate: ({ ref }, inputText) => backend.request('POST /api/validate', { body: { ref, inputText } }),
    call({ ref, definition }: ToolDetail, inputText) {
      const abort = new AbortController()
      const events = backend.requestLines('POST /api/invocations', {
        body: { ref, inputText, options: { origin: 'script', definition } },
        signal: abort.signal,
      })
      return { events, cancel: () => abort.abort() }
    },
    refuses: tool => describeConfirmRefusal(tool, confirmed),
  }
}
