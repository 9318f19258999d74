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

/** A connection for limits: fails fast, never queues while disconnected, reconnects by itself within two seconds. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    commandTimeout: waitOf(commandTimeoutMs),
    connectTimeout: waitOf(1_000),
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (tries) => Math.min(tries * 100, 2_000),
  })
  redis.on('error', sayErrors(log, 'limits'))
  return redis
}
