import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file that only its owner may read, whole or not at all, even when a power cut comes between. */
export function writePrivateFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${String(process.pid)}`
  try {
    writeFileSync(draft, content, { mode: 0o600, flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true, recursive: true })
    throw error
  }
}

const againMs = 1_000

/**
 * Writes at once. If that fails, as on a full disk, it tries again each second until it succeeds: a supervisor must not
 * end its programs because it cannot record them.
 */
export function untilWritten(write: () => void): { begin: () => void; stop: () => void } {
  let again: NodeJS.Timeout | undefined
  const begin = () => {
    clearTimeout(again)
    try {
      write()
    } catch {
      again = setTimeout(begin, againMs).unref()
    }
  }
  return {
    begin,
    stop: () => {
      clearTimeout(again)
    },
  }
}
