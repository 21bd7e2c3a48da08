import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns every tool with its schema, from the JSON files of a folder (or from one file). */
export async function readTools(path) {
  const isFolder = (await stat(path)).isDirectory()
  const files = isFolder ? (await readdir(path)).filter(name => name.endsWith('.json')).sort() : ['']
  const tools = []
  for (const file of files) {
    const content = JSON.parse(await readFile(file ? join(path, file) : path, 'utf8'))
    const list = Array.isArray(content) ? content : content.tools
    for (const tool of Array.isArray(list) ? list : [])
      tools.push({
        file,
        name: tool.name,
        schema: tool.inputSchema ?? tool.input_schema ?? tool.parameters ?? {},
      })
  }
  return tools
}
