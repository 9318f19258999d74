import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

export interface Floor {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

/** Starts bare express in a separate process. */
export async function openFloor(): Promise<Floor> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@malipo/source',
      join(repositoryDir, 'packages/testing/bin/run-source.mjs'),
      join(repositoryDir, 'packages/bench/src/chain/floor-server.ts'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const end = () => child.kill('SIGTERM')
  // An aborted run must not leave the process behind.
  process.once('exit', end)
  const exit = once(child, 'exit')
  const firstOutput = await Promise.race([once(child.stdout, 'data'), exit])
  const { pid } = child
  if (pid === undefined || child.exitCode !== null) throw new Error('bare express did not start')
  return {
    pid,
    port: Number(String(firstOutput[0])),
    async stop() {
      end()
      await exit
      process.off('exit', end)
    },
  }
}
