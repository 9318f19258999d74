import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stopDeadlineMs } from '@malipo/runtime/process'
import { boundLogs } from './bound-logs'
import type { Claim } from './claim'
import { type Program, type Supervised, supervise } from './supervise'

/** Groups stop in this order, so no program loses a service that it still calls. */
const groups = ['front', 'back', 'databases'] as const
export type Group = (typeof groups)[number]

/** A service ends by itself at `stopDeadlineMs`, so only one that hangs is killed. A database is safe when killed, and slow to start. */
const graceMs = { front: stopDeadlineMs + 500, back: stopDeadlineMs + 500, databases: 4_000 }

/** After this time the user reads what the stop waits for. */
const silentMs = 1_000

/** After this many ends before it is ready, a program has failed, and so has the start of the stack. */
const endingsMax = 3

/** How much of a program's log is shown when it cannot start. */
const tailLines = 15

interface Kept {
  readonly group: Group
  readonly supervised: Supervised
}

/** Restarts the programs of one stack when they end, keeps a log for each, and stops them all. */
export interface Supervisor {
  keep(group: Group, program: Omit<Program, 'logFile'>): Supervised
  hasGivenUp(supervised: Supervised): boolean
  /** Why the program did not get ready, with the end of its log. */
  failure(supervised: Supervised, cause: unknown): Error
  /** Stops all programs, group by group. `onWait` gets a line that says what a stop of over a second waits for. */
  stopAll(onWait: (line: string) => void): Promise<void>
  /** Ends the services at once. The databases stop as `stopAll` has it. */
  killServices(): void
}

export interface SupervisorOptions {
  readonly dir: string
  readonly claim: Claim
  /** Called each time a program starts, with its new process id. */
  readonly began: (name: string, pid: number) => void
}

export function openSupervisor({ dir, claim, began }: SupervisorOptions): Supervisor {
  const logDir = join(dir, 'logs')
  mkdirSync(logDir, { recursive: true, mode: 0o700 })
  const bound = boundLogs(logDir)
  const kept: Kept[] = []
  const note = (text: string) => {
    const line = `${new Date().toISOString()} ${text}\n`
    try {
      appendFileSync(join(logDir, 'supervisor.log'), line, { mode: 0o600 })
    } catch (error) {
      // A full disk is no reason to end the programs.
      process.stderr.write(`${String(error)}: ${line}`)
    }
  }
  return {
    keep(group, rest) {
      const program = { ...rest, logFile: join(logDir, `${rest.name}.log`) }
      const supervised = supervise(program, {
        began({ name, stopSignals }, identity) {
          claim.record(name, identity, stopSignals[0] ?? 'SIGTERM')
          note(`${name} runs as process ${String(identity.pid)}`)
          began(name, identity.pid)
        },
        ended({ name }, how, restartsInMs) {
          note(`${name} ended: ${how}; starting it again in ${String(restartsInMs)} ms`)
        },
      })
      kept.push({ group, supervised })
      return supervised
    },
    hasGivenUp: (supervised) => supervised.endings() >= endingsMax,
    failure: ({ program }, cause) =>
      new Error(`${program.name} did not start. Its log ends:\n${tailOf(program.logFile)}`, {
        cause,
      }),
    async stopAll(onWait) {
      for (const group of groups) {
        const members = kept.filter((member) => member.group === group)
        const waiting = setTimeout(() => {
          onWait(waitLine(members, graceMs[group]))
        }, silentMs)
        await Promise.all(members.map(({ supervised }) => supervised.stop(graceMs[group])))
        clearTimeout(waiting)
      }
      bound.stop()
    },
    killServices() {
      for (const { group, supervised } of kept) if (group !== 'databases') supervised.kill()
    },
  }
}

function waitLine(members: readonly Kept[], mostMs: number): string {
  const running = members.filter(({ supervised }) => supervised.identity())
  const names = running.map(({ supervised }) => supervised.program.name).join(', ')
  return `Waiting for ${names}, ${String(mostMs / 1_000)} seconds at most. Ctrl-C again ends services at once.`
}

function tailOf(file: string): string {
  if (!existsSync(file)) return '  (nothing)'
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.slice(-tailLines).join('\n')
}
