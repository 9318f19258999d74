import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'

export function standbyDirOf(stackDir: string): string {
  return join(stackDir, 'standby')
}

const serverDirOf = (stackDir: string): string => join(stackDir, 'postgres')

export function holdsServer(dataDir: string): boolean {
  return existsSync(join(dataDir, 'PG_VERSION'))
}

/**
 * Refuses a start when only the standby has all acknowledged commits, because the server's folder is lost or a
 * promotion was interrupted. Such a start would run an empty server, or the old one that lacks what the promoted
 * standby took.
 */
export function refuseUnpromoted(stackDir: string): void {
  const standbyDir = standbyDirOf(stackDir)
  if (!holdsServer(standbyDir)) return
  const isPromoted = !existsSync(join(standbyDir, 'standby.signal'))
  if (holdsServer(serverDirOf(stackDir)) && !isPromoted) return
  const why = isPromoted
    ? `The promotion of ${standbyDir} was broken off`
    : `The databases are gone from ${serverDirOf(stackDir)}, and ${standbyDir} has all of them`
  throw new Error(`${why}: npm run promote -- --dir ${stackDir}, and start again after that`)
}

/** Renames the standby's folder instead of removing it: a server restored from an older copy may lack what it has. */
export function setStandbyAside(stackDir: string, onProgress: (line: string) => void): void {
  const standbyDir = standbyDirOf(stackDir)
  if (!existsSync(standbyDir)) return
  const kept = lostOf(standbyDir)
  renameSync(standbyDir, kept)
  onProgress(
    `The standby no longer follows the server, and is kept as ${kept}: remove it once npm run audit holds`,
  )
}

/** Gives the promoted standby the folder of the server, and keeps the files of the server under another name. */
export function takePlace(stackDir: string): void {
  const serverDir = serverDirOf(stackDir)
  if (existsSync(serverDir)) renameSync(serverDir, lostOf(serverDir))
  renameSync(standbyDirOf(stackDir), serverDir)
}

function lostOf(dataDir: string): string {
  return `${dataDir}.lost-${new Date().toISOString().replaceAll(':', '-')}`
}
