import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { proposeProgramName } from './source-name.ts'

it.each([
  ['npx -y @acme/files@2.1.0', 'files'],
  ['npx -p @acme/pack files-mcp', 'files-mcp'],
  ['pnpm dlx @acme/server-files', 'server-files'],
  ['uvx mcp-server-git==1.2', 'mcp-server-git'],
  ['uvx --from git+https://example.com/x weather-mcp', 'weather-mcp'],
  ['uv --directory /srv/weather run python -m weather', 'weather'],
  ['docker run -i --rm -e TOKEN mcp/github:latest', 'github'],
  ['python3 -m mcp_server_time', 'mcp_server_time'],
  ['node --import tsx tools.ts', 'tools'],
  ['node a.b/index.js', 'shop'],
  ['node plain/src/server.mjs', 'plain'],
  ['./plain/main.py', 'plain'],
  ['node scoped/dist/cli.js', 'desk'],
  ['node weak/dist/index.js', 'weak'],
  ['node scoped/dist/acme.mjs', 'acme'],
  ['scoped/dist/main.json', 'desk'],
  ['node locked/dist/index.js', 'locked'],
  ['node large/dist/index.js', 'large'],
])('source name: proposes a name of its own for %s', (line, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files: Readonly<Record<string, string>> = {
    'a.b/index.js': '',
    'a.b/package.json': '{"name": "shop"}',
    'plain/src/server.mjs': '',
    'plain/main.py': '',
    'scoped/dist/cli.js': '',
    'scoped/dist/acme.mjs': '',
    'scoped/package.json': '{"name": "@acme/desk"}',
    'scoped/dist/main.json': '',
    'weak/dist/index.js': '',
    'weak/package.json': '{"name": "server"}',
    'locked/dist/index.js': '',
    'large/dist/index.js': '',
    'large/package.json': `{"name": "long"${' '.repeat(2 ** 20)}}`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  // On Linux a file whose reading fails even for root; elsewhere it is missing.
  symlinkSync('/proc/self/mem', join(folder, 'locked/package.json'))
  expect(proposeProgramName(line.split(' '), folder)).toBe(name)
})
