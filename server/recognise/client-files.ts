/** The paths where other clients store their lists of MCP servers, by operating system. */
import { posix, win32 } from 'node:path'

export interface Machine {
  readonly platform: NodeJS.Platform
  /** The user's home directory. Absolute. */
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
}

export interface ClientFile {
  /** The client's name, for people. */
  readonly client: string
  /** Absolute. */
  readonly path: string
  /** `user`: applies to all of the user's projects · `project`: applies to the folder that contains it. */
  readonly scope: 'user' | 'project'
}

/** Returns the user's files. Some may not exist. */
export function userFiles({ platform, home, environment }: Machine): readonly ClientFile[] {
  const { join } = platform === 'win32' ? win32 : posix
  const roaming = environment.APPDATA || join(home, 'AppData', 'Roaming')
  const local = environment.LOCALAPPDATA || join(home, 'AppData', 'Local')
  const xdg = environment.XDG_CONFIG_HOME || join(home, '.config')
  const support = join(home, 'Library', 'Application Support')
  /** The folder in which desktop programs store their settings. */
  const settings = { win32: roaming, darwin: support }[platform as string] ?? xdg
  const claude = 'claude_desktop_config.json'
  // Claude Desktop from the Microsoft Store: Windows redirects its roaming folder to this one.
  const store = join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude', claude)
  const files: readonly (readonly [client: string, ...paths: string[]])[] = [
    // https://support.claude.com/en/articles/10949351; on Linux the community's builds.
    ['Claude Desktop', join(settings, 'Claude', claude), ...(platform === 'win32' ? [store] : [])],
    // https://code.claude.com/docs/en/mcp: the user's servers and, by folder, each project's.
    ['Claude Code', join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json')],
    // https://code.visualstudio.com/docs/agents/reference/mcp-configuration; before version 1.102 in the settings.
    ...['Code', 'Code - Insiders'].map(
      name =>
        [
          name === 'Code' ? 'VS Code' : 'VS Code Insiders',
          join(settings, name, 'User', 'mcp.json'),
          join(settings, name, 'User', 'settings.json'),
        ] as const,
    ),
    // https://cursor.com/docs/mcp
    ['Cursor', join(home, '.cursor', 'mcp.json')],
    // https://docs.windsurf.com/windsurf/cascade/mcp
    ['Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    // https://developers.openai.com/codex/mcp
    ['Codex', join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml')],
    // https://geminicli.com/docs/tools/mcp-server
    ['Gemini CLI', join(home, '.gemini', 'settings.json')],
    // https://zed.dev/docs/ai/mcp; on macOS in ~/.config too.
    ['Zed', platform === 'win32' ? join(roaming, 'Zed', 'settings.json') : join(xdg, 'zed', 'settings.json')],
  ]
  return files.flatMap(([client, ...paths]) => paths.map(path => ({ client, path, scope: 'user' as const })))
}

const inProject: readonly (readonly [path: string, client: string])[] = [
  ['mcp.json', 'mcp.json'],
  ['.mcp.json', 'Claude Code'],
  ['.vscode/mcp.json', 'VS Code'],
  ['.cursor/mcp.json', 'Cursor'],
  ['.codex/config.toml', 'Codex'],
  ['.gemini/settings.json', 'Gemini CLI'],
  ['.zed/settings.json', 'Zed'],
  // https://gofastmcp.com/deployment/server-configuration
  ['fastmcp.json', 'FastMCP'],
]

/**
 * Returns the files of a folder. Some may not exist.
 *
 * @param directory absolute
 */
export function projectFiles(directory: string, platform: NodeJS.Platform): readonly ClientFile[] {
  const { resolve } = platform === 'win32' ? win32 : posix
  return inProject.map(([path, client]) => ({ client, path: resolve(directory, path), scope: 'project' }))
}
