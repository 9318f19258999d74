// Loaded into a simulator that is measured: whoever started it asks what it holds, and is told after a collection.
process.on('message', () => {
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send({ rss, held: heapUsed + external, cpuMicros: user + system })
})
