import { Redis } from 'ioredis'
import type { Log } from './log'

/** Redis holds nothing we cannot lose, so a command waits at most this long before the caller goes on without it. */
const commandTimeoutMs = 200

/** A connection for limits: fails fast, never queues while disconnected, reconnects by itself within two seconds. */
export function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1_000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (tries) => Math.min(tries * 100, 2_000),
  })
  redis.on('error', (error) => {
    log.warn({ error }, 'redis')
  })
  return redis
}
