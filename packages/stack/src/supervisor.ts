import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { boundLogs } from './bound-logs'
import type { Claim } from './claim'
import { type Program, type Supervised, supervise } from './supervise'

/** Groups stop in this order, so no program loses a service that it still calls. */
const groups = ['front', 'back', 'databases'] as const
export type Group = (typeof groups)[number]

/** The whole stack stops within five seconds, and each group in its share of them. */
const stopMs = { front: 2_200, back: 1_400, databases: 1_100 } as const satisfies Record<
  Group,
  number
>

/** After this many ends before it is ready, a program has failed, and so has the start of the stack. */
const endingsMax = 3

/** How much of a program's log is shown when it cannot start. */
const tailLines = 15

/** Restarts the programs of one stack when they end, keeps a log for each, and stops them all. */
export interface Supervisor {
  keep(group: Group, program: Omit<Program, 'logFile'>): Supervised
  hasGivenUp(supervised: Supervised): boolean
  /** Why the program did not get ready, with the end of its log. */
  failure(supervised: Supervised, cause: unknown): Error
  stopAll(): Promise<void>
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
  const kept: { readonly group: Group; readonly supervised: Supervised }[] = []
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
    async stopAll() {
      for (const group of groups) {
        const members = kept.filter((member) => member.group === group)
        await Promise.all(members.map(({ supervised }) => supervised.stop(stopMs[group])))
      }
      bound.stop()
    },
  }
}

function tailOf(file: string): string {
  if (!existsSync(file)) return '  (nothing)'
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.slice(-tailLines).join('\n')
}
