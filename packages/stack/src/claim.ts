import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stopDeadlineMs } from '@malipo/runtime/process'
import { z } from 'zod'
import { untilWritten, writePrivateFile } from './private-file'
import { identify, isRunning, type ProcessIdentity } from './process-identity'
import { readStackFile, removeStackFile, type StackFile } from './stack-file'

const processIdentity = z.object({ pid: z.number().int().positive(), began: z.string() })

const schema = z.object({
  supervisor: processIdentity,
  /** Every process that runs on behalf of this folder, by name, and the signal that ends it politely. */
  children: z.record(
    z.string(),
    processIdentity.extend({
      stopSignal: z.custom<NodeJS.Signals>((value) => typeof value === 'string'),
    }),
  ),
})

type ClaimRecord = z.output<typeof schema>

/** The right of one supervisor to a stack folder. */
export interface Claim {
  /**
   * Records that `name` is this process now, so that a later start can end it if we are killed. Retries a failed write.
   */
  record(name: string, identity: ProcessIdentity, stopSignal: NodeJS.Signals): void
  release(): void
}

/** How long the processes of a killed supervisor get to end after their stop signal: a service is done before. */
const leftoverDeadlineMs = stopDeadlineMs + 500

/**
 * Takes the folder for this process. If an earlier supervisor was killed, the processes that it started are ended
 * first. A process is ended only if it began when the record says. Callers take turns (bin/with-lock-file.mjs).
 */
export async function claimDir(dir: string): Promise<Claim> {
  const before = readRecord(dir)
  if (before && isRunning(before.supervisor)) {
    throw new Error(alreadyRunning(dir, before.supervisor.pid))
  }
  removeStackFile(dir)
  if (before) await endLeftovers(before)
  const supervisor = identify(process.pid)
  if (!supervisor) throw new Error('This system does not say which processes run')
  const record: ClaimRecord = { supervisor, children: {} }
  const save = () => {
    writePrivateFile(pathIn(dir), JSON.stringify(record))
  }
  save()
  const saving = untilWritten(save)
  return {
    record(name, identity, stopSignal) {
      record.children[name] = { ...identity, stopSignal }
      saving.begin()
    },
    release() {
      saving.stop()
      rmSync(pathIn(dir), { force: true })
    },
  }
}

/** The stack of this folder, if one is ready and its supervisor runs: a killed one leaves its file behind. */
export function findRunningStack(dir: string): StackFile | undefined {
  const record = readRecord(dir)
  return record && isRunning(record.supervisor) ? readStackFile(dir) : undefined
}

function readRecord(dir: string): ClaimRecord | undefined {
  if (!existsSync(pathIn(dir))) return undefined
  return schema.parse(JSON.parse(readFileSync(pathIn(dir), 'utf8')))
}

function pathIn(dir: string): string {
  return join(dir, 'supervisor.json')
}

function alreadyRunning(dir: string, pid: number): string {
  const stack = readStackFile(dir)
  const urls = stack
    ? `${stack.hosts.ke.base_url} (KE), ${stack.hosts.ug.base_url} (UG), simulator ${stack.simulator.url}`
    : 'it is still starting'
  return `A stack already runs in ${dir}, as process ${String(pid)}: ${urls}
Stop it with Ctrl-C or kill ${String(pid)}, or start a second one: npm start -- --dir .stack-2 --ports auto`
}

async function endLeftovers(before: ClaimRecord): Promise<void> {
  const running = () => Object.values(before.children).filter(isRunning)
  for (const child of running()) signal(child.pid, child.stopSignal)
  await eachGone(running, leftoverDeadlineMs)
  for (const child of running()) signal(child.pid, 'SIGKILL')
  if (!(await eachGone(running, leftoverDeadlineMs))) {
    const pids = running().map(({ pid }) => pid)
    throw new Error(`What an earlier start left behind does not end: processes ${pids.join(', ')}`)
  }
}

async function eachGone(running: () => unknown[], deadlineMs: number): Promise<boolean> {
  const deadline = performance.now() + deadlineMs
  while (running().length > 0) {
    if (performance.now() > deadline) return false
    await wait(50)
  }
  return true
}

/** A process that has just ended needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
