// Loaded into the bridge before its own code (`--import`): tells what it has used, and clears the heap first when asked.
process.on('message', ({ collect }) => {
  if (collect) globalThis.gc()
  process.send({ ...process.memoryUsage(), cpu: process.cpuUsage() })
})
// Being asked is no reason to stay.
process.channel.unref()
// Nor is there one when nobody is left to ask.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
