import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Spill } from './rules/pages'

/** A private file, opened by the first `append` and unlinked at once: it disappears however the process ends. */
export function openSpillFile(): Spill {
  let file: number | undefined
  let isClosed = false
  let end = 0
  return {
    append(bytes) {
      // A payment may still be under way in a simulation that a reset has discarded; its rows are never read.
      if (isClosed) return end
      file ??= openNameless()
      const place = end
      end += writeAll(file, bytes, place)
      return place
    },
    read(place, length) {
      const bytes = new Uint8Array(length)
      if (file !== undefined) readSync(file, bytes, 0, length, place)
      return bytes
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
      isClosed = true
    },
  }
}

function openNameless(): number {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-book-'))
  const file = openSync(join(dir, 'rows'), 'wx+', 0o600)
  rmSync(dir, { recursive: true })
  return file
}

function writeAll(file: number, bytes: Uint8Array, place: number): number {
  let written = 0
  while (written < bytes.length) {
    written += writeSync(file, bytes, written, bytes.length - written, place + written)
  }
  return written
}
