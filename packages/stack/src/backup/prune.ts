import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aboutFileOf, readAbout } from './about'

/** How many backups are kept, with the log since the oldest of them began. */
const keptBackups = 2

/** Removes all but the backup just made and the newest of the others, and the log that none of those needs. */
export function prune(home: string, made: string): void {
  const earlier = readdirSync(home)
    .map((name) => join(home, name))
    .filter((folder) => folder !== made && existsSync(aboutFileOf(folder)))
    .map((folder) => ({ folder, firstSegment: readAbout(folder).firstSegment }))
    // By their place in the log, as the clock that named one may have been wrong.
    .sort((one, other) => (one.firstSegment < other.firstSegment ? -1 : 1))
  const others = 1 - keptBackups
  for (const { folder } of earlier.slice(0, others)) rmSync(folder, { recursive: true })
  const oldest = earlier.slice(others)[0]?.firstSegment ?? readAbout(made).firstSegment
  for (const file of readdirSync(join(home, 'wal'))) {
    if (/^[0-9A-F]{24}/.test(file) && file.slice(0, 24) < oldest) rmSync(join(home, 'wal', file))
  }
}
