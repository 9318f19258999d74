// What programs here do around their work: a signal stops a stack in order, and a failure is printed with its reason.
import { once } from 'node:events'
import { constants } from 'node:os'
import process from 'node:process'

export const onProgress = (line) => process.stderr.write(`${line}\n`)

/** npm passes Ctrl-C on to a program that has it from the terminal too: signals this close are one press. */
const onePressMs = 1_000
const again = new AbortController()
/** Aborts when the user asks once more to stop, and so does not want to wait for it. */
export const askedAgain = again.signal

/**
 * Returns an AbortSignal that aborts on a stop signal or an uncaught error, so that the caller stops its programs
 * before it ends. Its reason has the exit code: for a signal 128 plus the signal's number, as shells expect.
 */
export function askedToStop() {
  const stopping = new AbortController()
  const stop = (why, exitCode) =>
    stopping.abort(Object.assign(new Error(`Stopping (${why}) …`), { exitCode }))
  let askedAt
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      askedAt ??= performance.now()
      if (performance.now() - askedAt > onePressMs) again.abort()
      stop(signal, 128 + constants.signals[signal])
    })
  process.on('uncaughtException', (error) => {
    onProgress(error.stack)
    process.exitCode = 1
    stop('an error of the supervisor', 1)
  })
  return stopping.signal
}

/** Waits until a signal of `askedToStop` aborts, and says why it has. */
export async function untilStopped(signal) {
  if (!signal.aborted) await once(signal, 'abort')
  onProgress(`\n${signal.reason.message}`)
}

/** Ends the process when `main` ends, even while a connection or a timer is still open. */
export function runToTheEnd(main) {
  main().then(
    () => process.exit(),
    (error) => {
      // `fetch` gives its reason in the error's cause; the messages of our own errors are complete.
      onProgress(error.cause?.code ? `${error.message}: ${error.cause.code}` : error.message)
      process.exit(1)
    },
  )
}
