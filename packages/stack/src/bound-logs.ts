import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Each program has at most two files of this size: days of ordinary use, and no full disk after a week of load tests.
 */
const bytesMax = 8 * 1024 * 1024
const checkEveryMs = 2_000

/**
 * Keeps every log of `dir` bounded: a full one is copied to `x.log.1`, over the earlier copy, and emptied. It is
 * emptied in place, because the programs have it open to append.
 */
export function boundLogs(dir: string, max = bytesMax): { check: () => void; stop: () => void } {
  const check = () => {
    try {
      // The folder may have been removed, and a program that is started again opens its log there.
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      for (const name of readdirSync(dir).filter((name) => name.endsWith('.log'))) {
        boundLog(join(dir, name), max)
      }
    } catch {
      // A log that cannot be bounded now is looked at again by the next check, and is no reason to end the stack.
    }
  }
  const timer = setInterval(check, checkEveryMs).unref()
  return {
    check,
    stop() {
      clearInterval(timer)
    },
  }
}

function boundLog(file: string, max: number): void {
  // A log that was removed since the folder was read has no size.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= max) return
  try {
    copyFileSync(file, `${file}.1`)
  } catch {
    // The disk has no room for the copy. The earlier copy is removed, so that the next check has room.
    rmSync(`${file}.1`, { force: true, recursive: true })
    return
  }
  truncateSync(file)
}
