/** Processes of this machine by a mark in their environment. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Found {
  readonly pid: number
  readonly command: string
}

/** Running processes (no zombies) that were started with `mark` somewhere in their environment. */
export function processesWith(mark: string): Found[] {
  return readdirSync('/proc').flatMap(entry => {
    if (!/^\d+$/.test(entry)) return []
    try {
      if (!readFileSync(`/proc/${entry}/environ`, 'latin1').includes(mark)) return []
      const command = readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
      return command === '' ? [] : [{ pid: Number(entry), command }]
    } catch {
      // Ended meanwhile, or another user's.
      return []
    }
  })
}
