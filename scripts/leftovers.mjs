/** Finds what tests leave behind: running processes of the project, and temporary folders. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project } from './project.mjs'

/** The prefixes of folders that the program and its tests make. Browsers and databases make others. */
const ownFolder = /^(toolscope|functions-test|imports)-/

/**
 * Prepares a run with a temporary folder of its own, so that two runs on one machine do not count each other's folders.
 * The folder is in the environment of all processes of the run, and identifies them.
 */
export function watchLeftovers() {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-run-'))
  // PostgreSQL does not run as root: its user needs access to its data.
  chmodSync(folder, 0o711)
  const before = new Set(processesWith([folder, project()]).map(({ pid }) => pid))
  return {
    environment: { TMPDIR: folder, TMP: folder, TEMP: folder },
    /**
     * Returns the leftovers. Waits up to `waitMs` for processes that are still ending. Removes the folder of the run.
     */
    async find(waitMs = 5_000) {
      const end = Date.now() + waitMs
      let found = list(folder, before)
      while (found.length > 0 && Date.now() < end) {
        await new Promise(resolve => setTimeout(resolve, 200))
        found = list(folder, before)
      }
      rmSync(folder, { recursive: true, force: true })
      return found
    },
  }
}

function list(folder, before) {
  const processes = processesWith([folder, project()]).filter(({ pid }) => !before.has(pid))
  const folders = readdirSync(folder).filter(name => ownFolder.test(name))
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command.slice(0, 200)}`),
    ...folders.map(name => `temporary folder ${name}`),
  ]
}

/** Returns other running processes with one of the words in their command line or environment; none without /proc. */
function processesWith(words) {
  return processIds().flatMap(pid => {
    if (pid === process.pid || pid === process.ppid) return []
    const command = readProcess(pid, 'cmdline').replaceAll('\0', ' ').trim()
    // A process without a command line has ended, and its parent has not read its exit code.
    if (command === '') return []
    const text = `${command}\0${readProcess(pid, 'environ')}`
    return words.some(word => text.includes(word)) ? [{ pid, command }] : []
  })
}

function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // It has ended in the meantime, or belongs to another user.
    return ''
  }
}

function processIds() {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}
