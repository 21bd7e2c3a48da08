// Loaded into the server before its own code (`--import`): measures the turns of its event loop, and reports its
// resource usage.
import { isMainThread } from 'node:worker_threads'

let last = performance.now()
let lastCpu = process.cpuUsage()
let stall = { wall: 0, cpu: 0 }
let session

// Worker threads load it too.
if (isMainThread) {
  beat()
  process.on('message', ({ collect, startProfile, stopProfile }) => {
    if (startProfile) return void beginProfile()
    if (stopProfile) return void endProfile()
    if (collect) {
      for (let run = 0; run < 3; run++) globalThis.gc()
      last = performance.now()
      lastCpu = process.cpuUsage()
    }
    process.send({ ...process.memoryUsage(), cpu: process.cpuUsage(), stall })
    if (collect) stall = { wall: 0, cpu: 0 }
  })
  // The channel must not keep the process running.
  process.channel.unref()
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}

/** A turn that other programs delayed took no processor time, so a stall counts the processor time of this process. */
function beat() {
  const [now, cpu] = [performance.now(), process.cpuUsage(lastCpu)]
  const wall = now - last
  const own = Math.min(wall, (cpu.user + cpu.system) / 1_000)
  stall = { cpu: Math.max(stall.cpu, own), wall: Math.max(stall.wall, wall) }
  last = now
  lastCpu = process.cpuUsage()
  setTimeout(beat, 1).unref()
}

/** Begins a profile of the main thread. The inspector is loaded only for it, because it needs memory. */
async function beginProfile() {
  const { Session } = await import('node:inspector/promises')
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 500 })
  await session.post('Profiler.start')
  process.send({})
}

async function endProfile() {
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  process.send({ profile })
}
