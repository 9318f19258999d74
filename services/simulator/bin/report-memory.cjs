// Preloaded into a measured simulator: answers its parent's requests with the memory in use after a garbage
// collection.
process.on('message', () => {
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send({ rss, held: heapUsed + external, cpuMicros: user + system })
})
