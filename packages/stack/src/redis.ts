import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a Redis-compatible server of this machine. */
export function findRedis(): string {
  for (const name of ['valkey-server', 'redis-server']) {
    for (const dir of (process.env['PATH'] ?? '').split(delimiter)) {
      const path = join(dir, name)
      if (isExecutable(path)) return path
    }
  }
  throw new Error('No Redis was found: install the Debian package `redis-server`, or set REDIS_URL')
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
