/**
 * Calls `poll` when the server says that the intent has changed. One page of a browser at a time is told: over HTTP/1.1 a
 * browser has six connections to a host, and pages that each hold one would leave none to poll by. A page without a stream
 * polls as it would.
 */
export function watchIntent(intent, forMs, poll) {
  if (globalThis.EventSource === undefined || navigator.locks === undefined) return
  const endsAt = Date.now() + forMs
  const watch = () =>
    new Promise((done) => {
      const changes = new EventSource(`/intents/${intent}/changes`)
      // What changed while the page and the stream were opened is found by asking once.
      changes.addEventListener('open', poll)
      changes.addEventListener('message', poll)
      // Refused for good: another page may have more luck.
      changes.addEventListener('error', () => changes.readyState === EventSource.CLOSED && done())
      setTimeout(() => done(changes.close()), endsAt - Date.now())
    })
  // Where a browser keeps nothing it has no locks either.
  navigator.locks.request('changes', watch).catch(() => {})
}
