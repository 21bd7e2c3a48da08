/** cross-spawn has no types: it is Node's `spawn`, which on Windows also starts scripts. */
declare module 'cross-spawn' {
  export { spawn } from 'node:child_process'
}
