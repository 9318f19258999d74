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

/** What REDIS_URL may be: one server, or the servers of which Sentinels keep one the primary. */
export const redisUrl = z.url({ protocol: /^(?:rediss?|redis\+sentinel)$/ })

const number = z.coerce.number().int().nonnegative()

/** One server, or the Sentinels who know it; as much of the settings of a connection as REDIS_URL says. */
type RedisAddress = { readonly username?: string; readonly password?: string } & (
  | { readonly host: string; readonly port: number; readonly db: number; readonly tls?: object }
  | {
      readonly name: string
      readonly sentinels: { host: string; port: number }[]
      readonly sentinelPassword?: string
    }
)

/**
 * `redis://:PASSWORD@HOST:PORT` is a server, `rediss:` one with TLS. `redis+sentinel://:PASSWORD@HOST:PORT/NAME` is the one that
 * the Sentinels at HOST call the primary of NAME, which may become another at any time; they have the same password.
 */
export function redisAddress(url: string): RedisAddress {
  const { protocol, hostname: host, port, username, password: encoded, pathname } = new URL(url)
  const password = decodeURIComponent(encoded)
  const path = pathname.slice(1)
  const login = { ...(username && { username }), ...(password && { password }) }
  if (protocol === 'redis+sentinel:') {
    const sentinels = [{ host, port: number.parse(port || 26_379) }]
    return { ...login, name: path, sentinels, ...(password && { sentinelPassword: password }) }
  }
  const tls = protocol === 'rediss:' && { tls: {} }
  return { ...login, host, port: number.parse(port || 6_379), db: number.parse(path), ...tls }
}

/**
 * The timeout of ioredis itself fires before an answer is read that came while this process was busy. A limit would then
 * be counted by each process on its own, though Redis had counted it.
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

/** A connection for limits: fails fast, never queues while disconnected, reconnects by itself within two seconds. */
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
