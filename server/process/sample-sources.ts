/** The example sources: offered by the page, and opened only after the user's click. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceList } from '../../core/api/sources.ts'
import { fileStatus, quoteWords } from './command-line.ts'

const shipped = [
  {
    name: 'acme',
    about: 'Acme Cloud: a command-line program with 16 tools',
    path: 'acme/acme.mjs',
    words: ['node'],
  },
  {
    name: 'functions',
    about: 'An llm-functions directory: three languages, and an agent',
    path: 'functions',
    words: [],
  },
]

/** Not part of the package: npx downloads it from the npm registry, only after the user's click. */
const referenceServer = {
  name: 'server-everything',
  about: 'The reference MCP server: tools, prompts, resources. npx downloads it',
  input: 'npx -y @modelcontextprotocol/server-everything',
}

/** Returns the examples whose files exist, with the input that opens each. */
export function exampleSources(): SourceList['examples'] {
  const folder = examplesFolder()
  if (folder === null) return []
  const found = shipped.flatMap(({ name, about, path, words }) => {
    const full = join(folder, path)
    return fileStatus(full) === null ? [] : [{ name, about, input: quoteWords([...words, full]) }]
  })
  return [...found, referenceServer]
}

/** `examples/` of the installed package, above the bundle (dist/server) or the sources (server). */
function examplesFolder(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let depth = 0; depth < 3; depth++) {
    folder = dirname(folder)
    const candidate = join(folder, 'examples')
    if (fileStatus(candidate)?.isDirectory()) return candidate
  }
  return null
}
