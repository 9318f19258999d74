import { Redis } from 'ioredis'
import type { Log } from './log'
import { waitOf } from './waits'

/**
 * Redis holds nothing that we cannot lose, so a command waits at most this long before the caller continues without
 * it.
 */
const commandTimeoutMs = 200

/** How often an outage of Redis is logged. Several connections retry many times a second. */
const sayEveryMs = 30_000

/** Logs the errors of a connection without filling the disk with them. */
export function sayErrors(log: Log, of: string): (error: Error) => void {
  let quietUntilMs = -Infinity
  return (error) => {
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + sayEveryMs
    log.warn({ error, of }, 'redis')
  }
}

/**
 * The timeout of ioredis itself fires before an answer is read that came while this process was busy. A limit would then
 * be counted by each process on its own, though Redis had counted it.
 */
class PatientRedis extends Redis {
  readonly #timeoutMs = waitOf(commandTimeoutMs)

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const timeout = setTimeout(() => {
      // Immediates run after what has arrived is read.
      setImmediate(() => {
        if (!command.isResolved) command.reject(new Error('Redis did not answer in time'))
      })
    }, this.#timeoutMs)
    const stop = () => {
      clearTimeout(timeout)
    }
    command.promise.then(stop, stop)
    return super.sendCommand(command, stream)
  }
}

/** A connection for limits: fails fast, never queues while disconnected, reconnects by itself within two seconds. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new PatientRedis(url, {
    connectTimeout: waitOf(1_000),
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (tries) => Math.min(tries * 100, 2_000),
  })
  redis.on('error', sayErrors(log, 'limits'))
  return redis
}
