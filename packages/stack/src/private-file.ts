import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file that only its owner may read, all of it or nothing: a reader never sees half. */
export function writePrivateFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${String(process.pid)}`
  writeFileSync(draft, content, { mode: 0o600 })
  renameSync(draft, path)
}
