import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import type { StackFile } from '@malipo/stack/stack-file'
import { processesOf, startStack } from '@malipo/stack/start.harness'

export interface Started {
  readonly file: StackFile
  readonly startSeconds: number
}

export interface OwnStackOptions {
  /** Flags of `npm start`. */
  readonly flags?: readonly string[] | undefined
  /** Where each process leaves a profile. */
  readonly profileDir?: string | undefined
}

const profiler = join(repositoryDir, 'packages/bench/bin/profile-process.cjs')

/** Starts the stack of a folder as `npm start` does, calls `run` with it, and stops it however the run ends. */
export async function withStack<Result>(
  dir: string,
  { flags = [], profileDir }: OwnStackOptions,
  run: (started: Started) => Promise<Result>,
): Promise<Result> {
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true })
  const beganAt = performance.now()
  const stack = startStack(dir, flags, {
    // Empty, so that the stack starts servers of its own folder and fills no database that the shell names.
    ...{ DATABASE_URL: '', REDIS_URL: '' },
    ...(profileDir !== undefined && {
      ...{ NODE_OPTIONS: `--require=${profiler}`, PROFILE_DIR: profileDir },
    }),
  })
  const stop = () => stack.child.kill('SIGTERM')
  // A run that is broken off must not leave a stack behind.
  process.once('exit', stop)
  let processes: ReturnType<typeof processesOf> = {}
  try {
    const file = await stack.ready()
    processes = processesOf(dir)
    return await run({ file, startSeconds: (performance.now() - beganAt) / 1_000 })
  } finally {
    stop()
    await stack.ended()
    process.off('exit', stop)
    if (profileDir !== undefined) nameProfiles(profileDir, processes)
  }
}

/** Renames each profile, which has the number of its process, after the name of the process. */
function nameProfiles(dir: string, processes: ReturnType<typeof processesOf>): void {
  for (const [name, { pid }] of Object.entries(processes)) {
    const file = join(dir, `${String(pid)}.cpuprofile`)
    if (existsSync(file)) renameSync(file, join(dir, `${name}.cpuprofile`))
  }
}
