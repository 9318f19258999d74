// Loaded into a simulator that is measured: its parent process asks for the memory in use, and gets the answer after a collection.
process.on('message', () => {
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send({ rss, held: heapUsed + external, cpuMicros: user + system })
})
