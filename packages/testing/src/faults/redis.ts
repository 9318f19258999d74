import { Redis } from 'ioredis'

/**
 * Makes Redis refuse commands that need more memory, as when its memory is full, or accept them again. False when Redis
 * does not run.
 */
export function fillRedis(url: string, isFull: boolean): Promise<boolean> {
  return tellRedis(url, (redis) => redis.config('SET', 'maxmemory', isFull ? '1' : '0'))
}

/** Deletes all keys. False when Redis does not run. */
export function flushRedis(url: string): Promise<boolean> {
  return tellRedis(url, (redis) => redis.flushall())
}

async function tellRedis(url: string, tell: (redis: Redis) => Promise<unknown>): Promise<boolean> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    commandTimeout: 2_000,
  })
  redis.on('error', () => undefined)
  const isDone = await tell(redis).then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isDone
}
