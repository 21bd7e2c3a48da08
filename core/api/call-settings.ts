/** The settings of a source that concern its calls and its server. toolscope.json and the page write them. */
import { z } from 'zod'
import { isSameJson } from '../json/equality.ts'
import { withoutUndefined } from '../json/json.ts'
import { maxLimitMs, minLimitMs } from '../text/duration.ts'
import { askModes } from '../tool/confirm-reason.ts'
import { logLevels } from '../tool/log-line.ts'

export const defaultCallTimeoutMs = 60_000

export const serverEras = ['auto', 'legacy', 'modern'] as const

/** Whether the tools by which a server offers a hidden catalog are listed too: never, also, or only they. */
export const ownToolsModes = ['hidden', 'also', 'only'] as const
export type OwnToolsMode = (typeof ownToolsModes)[number]

export const callSettingsFields = {
  timeoutMs: z
    .number()
    .int()
    .min(minLimitMs)
    .max(maxLimitMs)
    .exactOptional()
    .describe('Time limit of one call in milliseconds; 60000 unless set.'),
  progressResetsTimeout: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether the time limit of a call starts again each time its MCP server reports progress; true unless set. Such a call ends after ten times its limit, and after one hour.',
    ),
  askBeforeDestructive: z
    .enum(askModes)
    .exactOptional()
    .describe(
      'When to ask before a tool that is marked destructive: "each-call", "once" for each tool in a window of the page, or "never". Unless set, the page and scripts ask each time, and `toolscope call` does not ask. Tools of LLM_MCP_NEED_CONFIRM always ask.',
    ),
  era: z
    .enum(serverEras)
    .exactOptional()
    .describe(
      'Which era of MCP its server is addressed in: "legacy" (up to 2025-11-25), "modern" (since 2026-07-28), or "auto", which asks the server; "auto" unless set.',
    ),
  sampling: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether its MCP server may ask, during a call, for an answer of a language model, which the user writes; true unless set.',
    ),
  logLevel: z
    .enum(logLevels)
    .exactOptional()
    .describe(
      'The lowest level of the log messages that its MCP server sends; its server decides unless set. A server of the modern era sends messages only during a call, and only if it is set.',
    ),
  roots: z
    .array(z.string().min(1).max(4_000))
    .max(50)
    .exactOptional()
    .describe(
      'Folders that its MCP server receives (roots), relative to the folder in which the source is opened; none unless set. Some servers then work only in these.',
    ),
  ownTools: z
    .enum(ownToolsModes)
    .exactOptional()
    .describe(
      'For an MCP server whose tools list, describe and call other tools (incur, ScriptedTool, "hiddenCatalog"): whether its own tools are listed next to those behind them ("also"), alone without asking for the others ("only"), or not ("hidden"); "hidden" unless set.',
    ),
}

/** An absent field has its default. */
export const callSettings = z.strictObject(callSettingsFields)
export type CallSettings = Readonly<z.infer<typeof callSettings>>

type Unset = { readonly [Key in keyof CallSettings]: undefined }
const unset = Object.fromEntries(Object.keys(callSettingsFields).map(key => [key, undefined])) as Unset

/** Returns only these settings. */
export function pickCallSettings(settings: CallSettings): CallSettings {
  const keys = Object.keys(callSettingsFields) as (keyof CallSettings)[]
  return withoutUndefined(Object.fromEntries(keys.map(key => [key, settings[key]])))
}

/** Returns settings of a source with other settings of this kind. */
export function replaceCallSettings<Settings extends CallSettings>(
  settings: Settings,
  given: CallSettings,
): Settings {
  return withoutUndefined({ ...settings, ...unset, ...given }) as Settings
}

/** Whether a change of these settings needs a new connection: the server learns of them when it is opened. */
export function needsNewConnection(before: CallSettings, after: CallSettings): boolean {
  return !isSameJson(pickServerSettings(before), pickServerSettings(after))
}

const pickServerSettings = ({
  era = 'auto',
  sampling = true,
  roots = [],
  ownTools = 'hidden',
}: CallSettings) => ({
  era,
  sampling,
  roots,
  ownTools,
})
