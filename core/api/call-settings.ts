/** The settings of a source that concern the calls of its tools. toolscope.json and the page write them. */
import { z } from 'zod'
import { withoutUndefined } from '../json/json.ts'
import { maxLimitMs, minLimitMs } from '../text/duration.ts'
import { askModes } from '../tool/confirm-reason.ts'

export const defaultCallTimeoutMs = 60_000

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
}

/** An absent field has its default. */
export const callSettings = z.strictObject(callSettingsFields)
export type CallSettings = Readonly<z.infer<typeof callSettings>>

/** Returns only the settings of calls. */
export function pickCallSettings(settings: CallSettings): CallSettings {
  const { timeoutMs, progressResetsTimeout, askBeforeDestructive } = settings
  return withoutUndefined({ timeoutMs, progressResetsTimeout, askBeforeDestructive })
}

/** Returns settings of a source with other settings for its calls. */
export function replaceCallSettings<Settings extends CallSettings>(
  settings: Settings,
  given: CallSettings,
): Settings {
  const none = { timeoutMs: undefined, progressResetsTimeout: undefined, askBeforeDestructive: undefined }
  return withoutUndefined({ ...settings, ...none, ...given }) as Settings
}
