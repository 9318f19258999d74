import { provideProgram, type WantedProgram } from './provide-program'

const redis: WantedProgram = {
  debianPackage: 'redis-server',
  homebrewPackage: 'redis',
  names: ['valkey-server', 'redis-server'],
  binary: /^redis-server$/,
  isInstalledByRoot: true,
  help:
    'Malipo needs Redis 6.2 or later, or Valkey, and found neither. Install one (apt-get install redis-server, ' +
    'dnf install valkey, apk add valkey, brew install redis), or set REDIS_URL to a server of yours.',
}

/** The path of a Redis-compatible server: of this machine, otherwise from its package manager, because npm has none. */
export function provideRedis(onProgress: (line: string) => void): Promise<string> {
  return provideProgram(redis, onProgress)
}
