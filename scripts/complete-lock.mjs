/**
 * `npm run lock`, after adding a package: `npm ci` refuses a lock file that lacks a package's variant for a platform,
 * and `npm install` leaves out every variant that the current registry did not serve. Adds those by name.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { project } from './project.mjs'

const path = project('package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8'))
const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const processors = [
  'arm64',
  'armv7',
  'arm',
  'ia32',
  'x64',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'wasm32',
  'mips64el',
]

let added = 0
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (key in lock.packages || !/^\d/.test(version)) continue
    const os = systems.filter(system => name.includes(`-${system}`))
    const cpu = processors.filter(processor => name.includes(`-${processor}`)).slice(0, 1)
    if (os.length === 0 && cpu.length === 0) continue
    const libc = /musl/.test(name) ? ['musl'] : /-gnu/.test(name) ? ['glibc'] : undefined
    lock.packages[key] = {
      version,
      cpu,
      ...(owner.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    }
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} platform variants added to package-lock.json`)
