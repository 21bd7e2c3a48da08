/** Runs the code that it is given as a program of a call would run; prints the id of the program and what it prints. */
import { runProgram } from './process.ts'

const { signal } = new AbortController()
const code = `console.log(process.pid);${process.argv[2]}`
const run = { directory: process.cwd(), environment: { PATH: process.env.PATH }, signal, timeoutMs: 60_000 }
for await (const event of runProgram(process.execPath, ['-e', code], run))
  if (event.type === 'stdout') process.stdout.write(event.text)
