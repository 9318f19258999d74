// What programs here do around their work: a signal stops a stack in order, and a failure is printed with its reason.
import process from 'node:process'

/** Returns what aborts on a stop signal or an uncaught error, so that the caller stops its programs before it ends. */
export function askedToStop({ onProgress }) {
  const stopping = new AbortController()
  const stop = (why) => stopping.abort(new Error(`Stopping (${why}) …`))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  process.on('uncaughtException', (error) => {
    onProgress(error.stack)
    process.exitCode = 1
    stop('an error of the supervisor')
  })
  return stopping.signal
}

/** Ends the process when `main` ends, even while a connection or a timer is still open. */
export function runToTheEnd(main, { onProgress }) {
  main().then(
    () => process.exit(),
    (error) => {
      // `fetch` gives its reason in the error's cause; the messages of our own errors are complete.
      onProgress(error.cause?.code ? `${error.message}: ${error.cause.code}` : error.message)
      process.exit(1)
    },
  )
}
