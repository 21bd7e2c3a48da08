/**
 * A small program that ends what we started where we cannot: after our own `kill -9`. It holds a pipe to us; the pipe
 * ends with us, whatever ends us. It costs 1 MB and 2 ms, once, with the first program. Not on Windows.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { ownMark } from './mark.ts'

/**
 * Reads our mark, waits for the end of the pipe, then ends all that has the mark. Linux has the environments in /proc;
 * elsewhere `ps -E` shows them, in a loop of the shell itself, so that no command line holds the mark.
 */
const script = `
trap '' HUP INT TERM
read -r mark
read -r _
marked() {
  if [ -r /proc/self/environ ]; then
    grep -lsF -e "$mark" /proc/[0-9]*/environ | sed 's/[^0-9]//g'
  else
    ps -axwwE -o pid=,command= | while read -r pid rest; do case $rest in *"$mark"*) echo "$pid";; esac; done
  fi
}
for signal in TERM KILL KILL KILL; do
  pids=$(marked)
  [ -z "$pids" ] && exit
  kill -s $signal $pids
  sleep 1
done`

let watcher: ChildProcess | undefined

/** Starts it, once. A system without /bin/sh does without it. */
export function startWatcher(): void {
  if (watcher !== undefined || process.platform === 'win32') return
  // A session of its own: Ctrl-C in our terminal must not end it before us.
  watcher = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  })
  watcher.on('error', () => {})
  watcher.stdin?.on('error', () => {})
  watcher.stdin?.write(`${ownMark}\n`)
  watcher.unref()
  // Where we end by ourselves we end what we started ourselves (process-tree.ts).
  process.once('exit', () => watcher?.kill('SIGKILL'))
}
