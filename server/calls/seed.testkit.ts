/** The same scripts in Toolscope's shell and in bashkit's ScriptedTool, over the same tools. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Bash, initBashkit } from '@everruns/bashkit-wasm'
import { isObject } from '../../core/json/json.ts'
import { readJson } from '../../core/json/json-text.ts'
import { callerSchema } from '../../core/schema/caller-schema.ts'
import { defaultScriptLimits, type FromSandbox, type Sandbox } from '../../core/script/protocol.ts'
import { runScript } from '../../core/script/run-script.ts'
import { createSandboxRun } from '../../core/script/sandbox-run.ts'
import { createToolHost, scriptToolCommands } from '../../core/script/script-tools.ts'
import type { CallEvent } from '../../core/tool/invocation.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'

export interface SeedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** What a tool answers, as JSON; members in alphabetical order in both shells. */
export type ToolAnswer = (name: string, input: unknown) => unknown

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

const require = createRequire(import.meta.url)
const ready = initBashkit(readFileSync(require.resolve('@everruns/bashkit-wasm/bashkit_wasm_bg.wasm')))

/** Toolscope's shell, without files as ScriptedTool's is. */
export async function runOurs(tools: readonly SeedTool[], answer: ToolAnswer, script: string): Promise<Ran> {
  await ready
  const written = { stdout: '', stderr: '' }
  const catalog = tools.map(
    (tool, index): Tool => ({ ...tool, ref: `st/${tool.name}`, source: 'st', index, callable: true }),
  )
  const running = runScript({
    script,
    files: false,
    limits: defaultScriptLimits,
    clock: { now: () => performance.now(), after: () => () => {} },
    sandbox: sandboxHere(),
    world: {
      ...createToolHost(scriptToolCommands(catalog)),
      validate: async (tool, text) => createSchemaValidator(callerSchema(tool.inputSchema))(readValue(text)),
      call: (tool, text) => ({ events: resultOf(answer(tool.name, JSON.parse(text))), cancel: () => {} }),
      refuses: () => null,
    },
    onEvent: event => {
      if (event.type === 'output') written[event.stream] += event.text
    },
  })
  const { exitCode } = await running.ended
  return { ...written, exit: exitCode }
}

function readValue(text: string) {
  const reading = readJson(text)
  if (!reading.ok || reading.value === undefined) throw new Error(`no JSON: ${text}`)
  return reading.value
}

async function* resultOf(value: unknown): AsyncIterable<CallEvent> {
  yield {
    type: 'result',
    structuredContent: value,
    content: [],
    raw: JSON.stringify(value),
    validation: { verdict: 'no schema', issues: [] },
    timing: { startedAt: '', durationMs: 0 },
  } as unknown as CallEvent
}

/** The worker's part on this thread: it runs nothing that hangs. */
function sandboxHere(): Sandbox {
  let listener: (message: FromSandbox) => void = () => {}
  const handle = createSandboxRun(
    options => new Bash(options),
    message => listener(message),
  )
  return {
    send: handle,
    listen(onMessage) {
      listener = onMessage
      queueMicrotask(() => onMessage({ type: 'ready' }))
    },
    end: () => {},
  }
}

interface ScriptedTool {
  addTool(name: string, description: string, callback: (input: unknown) => string, schema: unknown): void
  execute(script: string): Promise<{ stdout: string; stderr: string; exitCode: number }>
  systemPrompt(): string
}

/** bashkit's own ScriptedTool, or null where its package has no build for this machine. */
export async function seedOf(tools: readonly SeedTool[], answer: ToolAnswer): Promise<ScriptedTool | null> {
  const loaded: unknown = await import('@everruns/bashkit').catch(() => null)
  const made = isObject(loaded) ? loaded.ScriptedTool : undefined
  if (typeof made !== 'function') return null
  const tool: ScriptedTool = Reflect.construct(made, [{ name: 'st' }])
  for (const { name, description, inputSchema } of tools)
    tool.addTool(name, description, input => `${JSON.stringify(answer(name, input))}\n`, inputSchema)
  return tool
}
