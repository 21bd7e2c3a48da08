/** Functions that the scripts of action.yml share: they read the environment that action.yml and GitHub set. */
import { readFileSync } from 'node:fs'

/**
 * Returns a variable. Throws an Error if it is not set.
 *
 * @param {string} name
 * @returns {string}
 */
export function readVariable(name) {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set; action.yml sets it.`)
  return value
}

/** Returns the pull request of the event; undefined if the event is of none. */
export function readPullRequest() {
  return JSON.parse(readFileSync(readVariable('GITHUB_EVENT_PATH'), 'utf8')).pull_request
}

/**
 * Prints a message that the run shows. A line break in it cannot begin another workflow command.
 *
 * @param {'error' | 'warning' | 'notice'} level
 * @param {string} message
 */
export function annotate(level, message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${level}::${escaped}`)
}
