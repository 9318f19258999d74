import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** What a backup says about itself in `about.json`, which is written when all the rest is there. */
const shape = z.object({
  /** The folder of the stack, where its secrets and marks were. */
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

/** A folder of one backup: `data`, which is the data folder, and `about.json`. The archived log lies beside it. */
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
