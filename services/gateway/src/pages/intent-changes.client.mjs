/** Calls `poll` when the server says that the intent has changed. Without a stream the page polls as it would. */
export function watchIntent(intent, forMs, poll) {
  if (globalThis.EventSource === undefined) return
  const changes = new EventSource(`/intents/${intent}/changes`)
  // What changed while the page and the stream were opened is found by asking once.
  changes.addEventListener('open', poll)
  changes.addEventListener('message', poll)
  setTimeout(() => changes.close(), forMs)
}
