import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The content of `about.json`, which is written last, so that a backup that has it is complete. */
const shape = z.object({
  /** The folder of the stack that was backed up, which has the secrets and marks that no backup has. */
  stackDir: z.string(),
  system: z.string().regex(/^\d+$/),
  postgres: z.string(),
  startedAt: z.iso.datetime(),
  /** The earliest time that can be restored. */
  completedAt: z.iso.datetime(),
  /** The first and the last segment of the log that makes the copy whole. */
  firstSegment: z.string().regex(/^[0-9A-F]{24}$/),
  lastSegment: z.string().regex(/^[0-9A-F]{24}$/),
})

export type AboutBackup = z.output<typeof shape>

/** The copied data folder of one backup. `about.json` is beside it, and the archived log beside the backups. */
export const dataOf = (backup: string): string => join(backup, 'data')
export const archiveOf = (backup: string): string => join(backup, '../wal')
export const aboutFileOf = (backup: string): string => join(backup, 'about.json')

export function readAbout(backup: string): AboutBackup {
  const file = aboutFileOf(backup)
  if (!existsSync(file)) {
    throw new Error(
      `${backup} is no whole backup, as it has no about.json: name a folder that npm run backup has printed`,
    )
  }
  return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
}
