// The client for the scenarios of the conformance suite: runs the commands that the scenario tests on the built
// program. The suite appends the address of its server and names the scenario in the environment.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { signInAndCall } from './conformance-sign-in.mjs'

const program = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
const address = process.argv.at(-1)
const source = `mcp:${address}`
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const accepted = ['--answers', '["accept"]']
/** The commands of each scenario, one after another. */
const commands = {
  initialize: [['list', source]],
  tools_call: [['call', 'add_numbers', source, '--input', '{"a":5,"b":3}']],
  'sse-retry': [['call', 'test_reconnection', source]],
  'elicitation-sep1034-client-defaults': [['call', 'test_client_elicitation_defaults', source, ...accepted]],
  'sep-2322-client-request-state': [
    ['call', 'test_mrtr_echo_state', source, ...accepted],
    ['call', 'test_mrtr_no_state', source, ...accepted],
    ['call', 'test_mrtr_unrelated', source],
    ['call', 'test_mrtr_no_result_type', source],
  ],
}[scenario]
if (scenario.startsWith('auth/')) await signInAndCall(program, address)
else if (commands === undefined) throw new Error(`no such scenario here: ${scenario}`)
for (const words of commands ?? []) {
  const child = spawn(process.execPath, [program, ...words], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode ||= code ?? 1
}
