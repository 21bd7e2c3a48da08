/** Times, rates and their texts on the command line of `toolscope bench`. */
import { AppError } from '../errors.ts'

const unitsMs: Readonly<Record<string, number>> = { us: 0.001, µs: 0.001, ms: 1, s: 1_000, m: 60_000 }

/** `200ms`, `1.5s` in milliseconds; undefined for any other text. */
export function parseTime(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*(us|µs|ms|s|m)$/.exec(text.trim()) ?? []
  return number === undefined ? undefined : Number(number) * (unitsMs[unit] ?? 1)
}

/** `50/s`, `300/m` and `50` as a number per second; undefined for any other text. */
export function parseRate(text: string): number | undefined {
  const [, number, per = 's'] = /^(\d+(?:\.\d+)?)(?:\s*\/\s*(s|m))?$/.exec(text.trim()) ?? []
  return number === undefined ? undefined : Number(number) / (per === 'm' ? 60 : 1)
}

/** The time that an option says, in milliseconds, at most a day. Throws AppError `usage`. */
export function readTime(option: string, text: string): number {
  const ms = parseTime(text)
  if (ms === undefined || ms > 86_400_000)
    throw new AppError('usage', `${option} ${text}: this is not a time`, {
      hint: `Give a number with its unit, at most a day: ${option} 10s, 500ms or 2m.`,
    })
  return ms
}

/** Calls per second that `--rate` says. Throws AppError `usage`. */
export function readRate(text: string): number {
  const rate = parseRate(text)
  if (rate === undefined || rate <= 0 || rate > 100_000)
    throw new AppError('usage', `--rate ${text}: this is not a rate`, {
      hint: 'Give a number of calls above 0, at most 100000 a second: --rate 50/s or 300/m.',
    })
  return rate
}

const threeDigits = (value: number) => Number(value.toPrecision(3)).toString()

/** `0.78 ms`, `34 ms`, `1.2 s`. */
export function timeText(ms: number): string {
  if (ms >= 999.5) return `${threeDigits(ms / 1000)} s`
  return `${ms < 0.1 ? Number(ms.toFixed(3)) : threeDigits(ms)} ms`
}

/** `1,234/s`, `0.5/s`. */
export const rateText = (perSecond: number) =>
  `${perSecond >= 100 ? countText(Math.round(perSecond)) : threeDigits(perSecond)}/s`

export const countText = (count: number) => count.toLocaleString('en')

/** `0.02%`; never 0% or 100% for a part that is neither. */
export function shareText(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100
  if (percent > 0 && percent < 0.01) return '< 0.01%'
  if (percent > 99.99 && percent < 100) return '> 99.99%'
  return `${Number(percent.toFixed(2))}%`
}
