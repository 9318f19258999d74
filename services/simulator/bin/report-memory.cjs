// Preloaded into a measured simulator: answers each message of its parent process with the memory in use after a
// garbage collection, and the CPU time.
process.on('message', () => {
  globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send({ rss, held: heapUsed + external, cpuMicros: user + system })
})
