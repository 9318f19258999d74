/**
 * Calls `poll` when the server announces a change of the intent. Only one page of a browser holds a stream: over
 * HTTP/1.1 a browser has six connections to a host, and a stream in each page would leave none to poll by. A page
 * without a stream polls as usual.
 */
export function watchIntent(intent, forMs, poll) {
  if (globalThis.EventSource === undefined || navigator.locks === undefined) return
  const endsAt = Date.now() + forMs
  const watch = () =>
    new Promise((done) => {
      const changes = new EventSource(`/intents/${intent}/changes`)
      // One poll finds what changed between the page and the stream.
      changes.addEventListener('open', poll)
      changes.addEventListener('message', poll)
      // The stream was refused for good: another page may get one.
      changes.addEventListener('error', () => changes.readyState === EventSource.CLOSED && done())
      setTimeout(() => done(changes.close()), endsAt - Date.now())
    })
  // A browser without storage has no locks either.
  navigator.locks.request('changes', watch).catch(() => {})
}
