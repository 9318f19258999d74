export default async function stopDatabases(): Promise<void> {
  const stop = globalThis.stopTestDatabases
  globalThis.stopTestDatabases = undefined
  await stop?.()
}
