import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate small disk in memory for a stack, which a test can fill. */
export interface SmallDisk {
  readonly dir: string
  fill(): void
  clear(): void
  remove(): void
}

const size = '1200m'
const block = Buffer.alloc(1024 * 1024)

/** Mounts a small disk. Undefined where this user may not mount one. */
export function openSmallDisk(): SmallDisk | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'tmpfs', dir], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(dir, { recursive: true })
    return undefined
  }
  const ballast = join(dir, 'ballast')
  return {
    dir,
    fill() {
      const file = openSync(ballast, 'a')
      for (const bytes of [block.length, 4_096, 1]) {
        while (isWritten(file, block.subarray(0, bytes)));
      }
      closeSync(file)
    },
    clear: () => {
      rmSync(ballast, { force: true })
    },
    remove() {
      execFileSync('umount', ['--lazy', dir])
      rmSync(dir, { recursive: true })
    },
  }
}

/** False when the disk is full. */
function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0
  } catch {
    return false
  }
}
