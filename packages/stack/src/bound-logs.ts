import { copyFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

/** Two files of this size a program: days of ordinary use, and no full disk after a week of load tests. */
const bytesMax = 8 * 1024 * 1024
const checkEveryMs = 2_000

/**
 * Keeps every log of `dir` bounded: a full one becomes `x.log.1`, in the place of the one before, and starts empty. It is
 * emptied in place, because the programs hold it open to append.
 */
export function boundLogs(dir: string, max = bytesMax): { check: () => void; stop: () => void } {
  const check = () => {
    for (const name of readdirSync(dir).filter((name) => name.endsWith('.log'))) {
      const file = join(dir, name)
      if (statSync(file).size <= max) continue
      try {
        copyFileSync(file, `${file}.1`)
      } catch {
        // No room for two: what was kept before goes, so that the next look has some.
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
