import {
  appendFileSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Each program has at most two files of this size: days of ordinary use, and no full disk after a week of load tests.
 */
const bytesMax = 8 * 1024 * 1024
const checkEveryMs = 2_000

/** The log that a running program has open, and how much of it was there at the last check. */
export interface OpenLog {
  readonly file: string
  readonly fd: number
  seenBytes: number
}

/**
 * Keeps every log of `dir` bounded: a full one is copied to `x.log.1`, over the earlier copy, and emptied. It is
 * emptied in place, because the programs have it open to append. `opened` are the logs of the programs that run.
 */
export function boundLogs(
  dir: string,
  opened: () => readonly OpenLog[],
  max = bytesMax,
): { check: () => void; stop: () => void } {
  const check = () => {
    try {
      // The folder may have been removed, and a program that is started again opens its log there.
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      for (const log of opened()) followRemoved(log, max)
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

/**
 * A program goes on in its log when that is removed, where it cannot be found and grows without a bound: copies what is
 * new there into another file of the same name.
 */
export function followRemoved(log: OpenLog, max = bytesMax): void {
  const { nlink, size } = fstatSync(log.fd)
  const from = Math.min(log.seenBytes, size)
  log.seenBytes = size
  if (nlink > 0 || size === from) return
  const bytes = Buffer.alloc(Math.min(size - from, max))
  readSync(log.fd, bytes, 0, bytes.length, size - bytes.length)
  appendOrDrop(log.file, bytes)
  if (size <= max) return
  ftruncateSync(log.fd)
  log.seenBytes = 0
}

/** Drops the bytes where the disk has no room, because those of a log are no reason to end a stack. */
function appendOrDrop(file: string, bytes: Buffer): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    appendFileSync(file, bytes, { mode: 0o600 })
  } catch (error) {
    process.stderr.write(`${file} was removed and cannot be made again: ${String(error)}\n`)
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
