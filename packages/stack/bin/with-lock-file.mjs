import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

/** A holder that has not touched its lock for this long is gone, whatever now has its process id. */
const silenceMaxMs = 15_000

/**
 * Runs `work` while no other process holds the lock file `path`. The lock names its holder and is touched each second,
 * so that a killed holder's lock is known by its dead process or by its silence, and taken over.
 */
export async function withLockFile(path, { onWait }, work) {
  mkdirSync(dirname(path), { recursive: true })
  for (let hasNotified = false; !tryTake(path); hasNotified = true) {
    if (!hasNotified) onWait(holderOf(path))
    await wait(200)
  }
  const touch = () => utimesSync(path, new Date(), new Date())
  const beat = setInterval(touch, 1_000)
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', release)
    release()
  }
}

function tryTake(path) {
  const mine = `${path}.${process.pid}`
  // Linking a complete file is atomic, so a lock file always names its holder.
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, path)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    removeAbandoned(path, mine)
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/**
 * Moves an abandoned lock aside. If another process replaced it between the check and the move, its live lock was
 * moved: it is put back.
 */
function removeAbandoned(path, aside) {
  const holder = holderOf(path)
  if (holder === undefined || (isAlive(holder) && silenceMs(path) < silenceMaxMs)) return
  try {
    renameSync(path, aside)
    if (holderOf(aside) !== holder) linkSync(aside, path)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
}

/** The process id in the lock; undefined when the lock has just been released. */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function silenceMs(path) {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
