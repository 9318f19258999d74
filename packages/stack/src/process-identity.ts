import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** One process, so that a later one with the same id is never taken for it. */
export interface ProcessIdentity {
  readonly pid: number
  /** Its start time as the operating system prints it; only compared for equality. */
  readonly began: string
}

/** Undefined when no such process runs. One that has ended and waits to be collected by its parent does not run. */
export function identify(pid: number): ProcessIdentity | undefined {
  const began = process.platform === 'linux' ? beganOnLinux(pid) : beganElsewhere(pid)
  return began === undefined ? undefined : { pid, began }
}

export function isRunning(known: ProcessIdentity): boolean {
  return identify(known.pid)?.began === known.began
}

function beganOnLinux(pid: number): string | undefined {
  const stat = readStat(pid)
  if (stat === undefined) return undefined
  // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 'ZX'.includes(state) ? undefined : fields[18]
}

/** Reads without asking first whether the file exists, because the process can end between the two. */
function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH'].includes(code)) return undefined
    throw error
  }
}

function beganElsewhere(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  })
  const [, state, began] = /^(\S+)\s+(.+)$/.exec(stdout.trim()) ?? []
  return state?.startsWith('Z') === false ? began : undefined
}
