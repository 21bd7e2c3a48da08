// The client of the conformance suite's scenarios: the built program, told to do what the scenario looks for.
// The suite appends the address of its server and names the scenario in the environment.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
const source = `mcp:${process.argv.at(-1)}`
const words = {
  initialize: ['list', source],
  tools_call: ['call', 'add_numbers', source, '--input', '{"a":5,"b":3}'],
  'sse-retry': ['call', 'test_reconnection', source],
}[process.env.MCP_CONFORMANCE_SCENARIO]
if (words === undefined) throw new Error(`no such scenario here: ${process.env.MCP_CONFORMANCE_SCENARIO}`)
const child = spawn(process.execPath, [program, ...words], { stdio: 'inherit' })
child.once('exit', code => {
  process.exitCode = code ?? 1
})
