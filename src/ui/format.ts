/** Formats a duration: `412 ms`, `3.2 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Formats bytes in powers of ten: `512 B`, `1.3 kB`, `5.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

const count = new Intl.NumberFormat('en')

/** Formats a count: `5,000`. */
export function formatCount(value: number): string {
  return count.format(value)
}

/** Returns a count with its noun: `1 problem`, `2 problems`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const yearFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/**
 * Formats an ISO time in local time: `14:03:22` today, `20 Nov 14:03:22` this year, `20 Nov 2025 14:03:22` in an
 * earlier year. Other text is returned unchanged.
 */
export function formatTime(iso: string, now: Date): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const time = timeFormat.format(date)
  if (date.toDateString() === now.toDateString()) return time
  return `${(date.getFullYear() === now.getFullYear() ? dayFormat : yearFormat).format(date)} ${time}`
}

/** Formats the age of an ISO time: `just now`, `2 min ago`, `3 h ago`; after a day like `formatTime`. */
export function formatAge(iso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(iso).getTime()) / 60_000)
  if (!(minutes < 24 * 60)) return formatTime(iso, now)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinalEndings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** Returns an ordinal number: `1st`, `2nd`, `3rd`, `11th`. */
export const ordinal = (position: number) =>
  `${position}${ordinalEndings[ordinalRules.select(position)] ?? 'th'}`
