// What every program here does around its work: it ends on a signal, with its work undone, and says why it failed.
import process from 'node:process'

/** Aborts on a stop signal and on an uncaught error; the programs are then stopped before this process ends. */
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

/** Runs to the end of `main`, and then no longer, whatever is still open. */
export function runToTheEnd(main, { onProgress }) {
  main().then(
    () => process.exit(),
    (error) => {
      // What `fetch` says is in its cause; our own messages say it all.
      onProgress(error.cause?.code ? `${error.message}: ${error.cause.code}` : error.message)
      process.exit(1)
    },
  )
}
