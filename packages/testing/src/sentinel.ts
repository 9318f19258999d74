import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@malipo/stack/free-port'
import { provideRedis } from '@malipo/stack/provide-redis'
import { Redis } from 'ioredis'
import { eventually } from './eventually'

const password = 'sentinel-test'

/** A Redis, its replica, and a Sentinel that promotes the replica when the first is gone. */
export interface Sentinels {
  /** The value of REDIS_URL for a service. */
  readonly url: string
  readonly signalPrimary: (signal: NodeJS.Signals) => void
  readonly close: () => void
}

export async function openSentinels(): Promise<Sentinels> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-sentinel-'))
  const server = await provideRedis((line) => process.stderr.write(`${line}\n`))
  const run = (
    name: string,
    lines: readonly string[],
    ...args: readonly string[]
  ): ChildProcess => {
    const file = join(dir, `${name}.conf`)
    writeFileSync(
      file,
      [`dir ${dir}`, 'bind 127.0.0.1', `requirepass ${password}`, ...lines].join('\n'),
    )
    return spawn(server, [file, ...args], { stdio: 'ignore' })
  }
  const [primary, replica, sentinel] = await Promise.all([freePort(), freePort(), freePort()])
  const serverAt = (port: number) => [
    `port ${String(port)}`,
    `masterauth ${password}`,
    'save ""',
    'repl-diskless-sync-delay 0',
  ]
  const started = [
    run('primary', serverAt(primary)),
    run('replica', [...serverAt(replica), `replicaof 127.0.0.1 ${String(primary)}`]),
  ]
  // Sentinel looks for replicas when it starts, and then only every ten seconds.
  await untilReplicated(primary)
  const watched = [
    `port ${String(sentinel)}`,
    `sentinel monitor malipo 127.0.0.1 ${String(primary)} 1`,
    `sentinel auth-pass malipo ${password}`,
    'sentinel down-after-milliseconds malipo 500',
  ]
  started.push(run('sentinel', watched, '--sentinel'))
  return {
    url: `redis+sentinel://:${password}@127.0.0.1:${String(sentinel)}/malipo`,
    signalPrimary: (signal) => started[0]?.kill(signal),
    close() {
      for (const child of started) child.kill('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function untilReplicated(port: number): Promise<void> {
  const redis = new Redis({ port, password })
  redis.on('error', () => undefined)
  await eventually('there is a replica', async () =>
    /slave0:.*state=online/.test(await redis.info('replication').catch(() => '')),
  )
  redis.disconnect()
}
