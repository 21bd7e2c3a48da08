/**
 * Finds the browser for the tests. As root on Debian it is installed; otherwise prints the command that installs it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { environmentWithoutFonts } from './fonts.mjs'

// The first does everything that the tests need, with a quarter less work than the whole browser.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Returns the path of a Chromium, or undefined. `TOOLSCOPE_CHROMIUM` has priority. */
export function findChromium() {
  return [process.env.TOOLSCOPE_CHROMIUM, ...places].find(path => path && existsSync(path))
}

/** Returns the launch options of all browser tests. */
export function chromiumLaunchOptions() {
  const executablePath = findChromium()
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    env: { ...process.env, ...environmentWithoutFonts() },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}

function install() {
  const run = args =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  run(['update', '-qq'])
  run(['install', '-y', '-qq', 'chromium-headless-shell'])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isRoot = process.getuid?.() === 0
  if (findChromium() === undefined && isRoot && existsSync('/usr/bin/apt-get')) install()
  const found = findChromium()
  if (found === undefined) {
    console.error(
      'The browser tests need Chromium. On Debian:\n\n  sudo apt-get install -y chromium-headless-shell\n\nElsewhere, install Chromium or Chrome, or set TOOLSCOPE_CHROMIUM to the path of Chromium or Chrome.',
    )
    process.exit(1)
  }
}
