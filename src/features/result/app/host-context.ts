import type { McpUiHostContext, McpUiStyleVariableKey } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { ToolDetail } from '../../../../core/api/catalog.ts'

/** The variables of MCP Apps, and the colours and fonts of the page that they get. */
const variables: Partial<Record<McpUiStyleVariableKey, string>> = {
  '--color-background-primary': '--pane',
  '--color-background-secondary': '--sunken',
  '--color-background-tertiary': '--hover',
  '--color-background-inverse': '--text',
  '--color-background-info': '--info-soft',
  '--color-background-danger': '--bad-soft',
  '--color-background-success': '--ok-soft',
  '--color-background-warning': '--warn-soft',
  '--color-text-primary': '--text',
  '--color-text-secondary': '--muted',
  '--color-text-tertiary': '--faint',
  '--color-text-inverse': '--pane',
  '--color-text-info': '--info',
  '--color-text-danger': '--bad',
  '--color-text-success': '--ok',
  '--color-text-warning': '--warn',
  '--color-border-primary': '--line-strong',
  '--color-border-secondary': '--line',
  '--color-border-danger': '--bad',
  '--color-border-success': '--ok',
  '--color-border-warning': '--warn',
  '--color-ring-primary': '--accent',
  '--font-sans': '--font',
  '--font-mono': '--mono',
  '--border-radius-md': '--radius',
}

type StyleVariables = NonNullable<NonNullable<McpUiHostContext['styles']>['variables']>

/** Returns what an app learns of the page: its theme, size, language and the tool. */
export function readHostContext(
  container: HTMLElement,
  tool: ToolDetail,
  callId: string | undefined,
): McpUiHostContext {
  const root = document.documentElement
  const style = getComputedStyle(root)
  const values = Object.entries(variables).map(([name, own]) => [name, style.getPropertyValue(own).trim()])
  const { name, title, description, inputSchema } = tool
  return {
    theme: root.dataset.theme === 'dark' ? 'dark' : 'light',
    // The type names all variables; a host may give any of them.
    styles: { variables: Object.fromEntries(values) as StyleVariables },
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: { width: container.clientWidth, maxHeight: 4_000 },
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: 'toolscope',
    platform: 'web',
    deviceCapabilities: {
      touch: matchMedia('(any-pointer: coarse)').matches,
      hover: matchMedia('(any-hover: hover)').matches,
    },
    toolInfo: {
      ...(callId !== undefined && { id: callId }),
      // The schema is the source's text; the SDK's type is stricter than what servers send.
      tool: { name, title, description, inputSchema } as NonNullable<McpUiHostContext['toolInfo']>['tool'],
    },
  }
}
