// Runs a JavaScript tool, or a function of an agent, with the JSON of the last argument. The result goes to the
// file LLM_OUTPUT, or to stdout where that is not set.
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..')

exports.runTool = name => {
  process.env.LLM_ROOT_DIR = root
  process.env.LLM_TOOL_NAME = name
  process.env.LLM_TOOL_CACHE_DIR = join(root, 'cache', name)
  return run(join(root, 'tools', `${name}.js`), 'run', process.argv[2])
}

exports.runAgent = name => {
  const [called = '', json] = process.argv.slice(2)
  process.env.LLM_ROOT_DIR = root
  process.env.LLM_AGENT_NAME = name
  process.env.LLM_AGENT_FUNC = called
  process.env.LLM_AGENT_ROOT_DIR = join(root, 'agents', name)
  process.env.LLM_AGENT_CACHE_DIR = join(root, 'cache', name)
  return run(join(root, 'agents', name, 'tools.js'), called, json)
}

async function run(path, called, json) {
  const functions = require(path)
  if (!Object.hasOwn(functions, called)) throw new Error(`${path} has no function ${called}`)
  if (json === undefined) throw new Error('No JSON data')
  const result = await functions[called](JSON.parse(json))
  if (result === undefined || result === null) return
  const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2)
  if (process.env.LLM_OUTPUT) writeFileSync(process.env.LLM_OUTPUT, text)
  else process.stdout.write(text)
}
