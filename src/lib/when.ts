const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** `14:03:22` today, `20 Nov 14:03:22` this year, `20 Nov 2025 14:03:22` before. In local time. */
export function whenText(iso: string, now: Date): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const time = clock.format(date)
  if (date.toDateString() === now.toDateString()) return time
  return `${(date.getFullYear() === now.getFullYear() ? day : year).format(date)} ${time}`
}
