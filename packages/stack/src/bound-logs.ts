import { copyFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
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
    for (const name of readdirSync(dir).filter((name) => name.endsWith('.log'))) {
      const file = join(dir, name)
      if (statSync(file).size <= max) continue
      try {
        copyFileSync(file, `${file}.1`)
      } catch {
        // The disk has no room for the copy. The earlier copy is removed, so that the next check has room.
        rmSync(`${file}.1`, { force: true, recursive: true })
        continue
      }
      truncateSync(file)
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
