import { Redis } from 'ioredis'
import type { Log } from './log'
import { z } from 'zod'
import { waitOf, whenLate } from './waits'

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

/** The forms of REDIS_URL: one server, or the Sentinels that choose the primary of several. */
export const redisUrl = z.url({ protocol: /^(?:rediss?|redis\+sentinel)$/ })

const number = z.coerce.number().int().nonnegative()

/**
 * A connection whose server has not answered a command for this long is opened anew: the machine may be lost, which
 * closes no connection, and Linux would wait for a quarter of an hour. It is longer than the 10 s for which BullMQ asks
 * the server to hold back an answer until a job comes.
 */
const silentMs = 12_000

/** One server, or the Sentinels that know it, and how long each may be silent. */
type RedisAddress = {
  readonly username?: string
  readonly password?: string
  readonly socketTimeout: number
} & (
  | { readonly host: string; readonly port: number; readonly db: number; readonly tls?: object }
  | {
      readonly name: string
      readonly sentinels: { host: string; port: number }[]
      readonly sentinelPassword?: string
      readonly sentinelCommandTimeout: number
    }
)

/**
 * `redis://:PASSWORD@HOST:PORT` is a server, `rediss:` one with TLS. `redis+sentinel://:PASSWORD@HOST:PORT/NAME` is the
 * server that the Sentinels at HOST call the primary of NAME; another server may become the primary at any time.
 * Servers and Sentinels have the same password.
 */
export function redisAddress(url: string): RedisAddress {
  const { protocol, hostname: host, port, username, password: encoded, pathname } = new URL(url)
  const password = decodeURIComponent(encoded)
  const path = pathname.slice(1)
  const common = {
    ...(username && { username }),
    ...(password && { password }),
    socketTimeout: waitOf(silentMs),
  }
  if (protocol === 'redis+sentinel:') {
    const sentinels = [{ host, port: number.parse(port || 26_379) }]
    const waits = { ...common, sentinelCommandTimeout: waitOf(1_000) }
    return { ...waits, name: path, sentinels, ...(password && { sentinelPassword: password }) }
  }
  const tls = protocol === 'rediss:' && { tls: {} }
  return { ...common, host, port: number.parse(port || 6_379), db: number.parse(path), ...tls }
}

/**
 * A client that reads arrived answers before it lets commands time out. After this process was busy, the timeout of
 * ioredis would fire first, and the process would count a request by itself that Redis has already counted.
 */
class PatientRedis extends Redis {
  readonly #timeoutMs = waitOf(commandTimeoutMs)

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const stop = whenLate(this.#timeoutMs, () => {
      if (!command.isResolved) command.reject(new Error('Redis did not answer in time'))
    })
    command.promise.then(stop, stop)
    return super.sendCommand(command, stream)
  }
}

/**
 * A connection for limits, turns and announcements: fails fast, never queues while away, and reconnects within 2 s of
 * its end.
 */
export function openRedis(url: string, log: Log): Redis {
  const redis = new PatientRedis({
    ...redisAddress(url),
    connectTimeout: waitOf(1_000),
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (tries) => Math.min(tries * 100, 2_000),
  })
  redis.on('error', sayErrors(log, 'limits'))
  return redis
}
