import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { writePrivateFile } from './private-file'

export interface RedisOptions {
  readonly dataDir: string
  readonly password: string
  readonly port: number
}

/**
 * Writes the server's configuration and returns its path. `noeviction` because a queue must not lose jobs to a cache's
 * rule; an append-only file because a restart must not forget the rate limits. The password is in the file, and so not
 * in the list of processes.
 */
export function configureRedis(options: RedisOptions): string {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const file = join(options.dataDir, 'redis.conf')
  const settings = {
    bind: '127.0.0.1',
    port: String(options.port),
    requirepass: options.password,
    dir: options.dataDir,
    appendonly: 'yes',
    save: '""',
    'maxmemory-policy': 'noeviction',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
  writePrivateFile(file, lines.join(''))
  return file
}

export function redisUrl(options: RedisOptions): string {
  return `redis://:${options.password}@127.0.0.1:${String(options.port)}`
}

/** Resolves once the server answers a PING; rejects at the deadline, or as soon as `gaveUp` says so. */
export async function untilRedisAnswers(
  url: string,
  deadlineMs: number,
  gaveUp: () => boolean = () => false,
): Promise<void> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const refusal = await ping(url)
    if (refusal === undefined) return
    if (gaveUp() || performance.now() > deadline)
      throw new Error(`Redis does not answer: ${refusal}`)
    await wait(50)
  }
}

/** Undefined, or why there was no answer. A connection once refused stays closed, so each question opens its own. */
async function ping(url: string): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let refusal: string | undefined
  // The event says why; the promise only that the connection is closed.
  redis.on('error', (error) => (refusal = error.message))
  await redis.ping().catch((error: unknown) => (refusal ??= String(error)))
  redis.disconnect()
  return refusal
}
