import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { claimDir } from './claim'
import { writePrivateFile } from './private-file'
import { identify, isRunning, type ProcessIdentity } from './process-identity'

let dir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-claim-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

/** Starts a process that runs until it is killed. */
function startProcess(script = ''): ProcessIdentity {
  const child = spawn(process.execPath, ['-e', `${script}; setInterval(() => undefined, 1000)`])
  children.push(child)
  const identity = identify(child.pid ?? 0)
  if (!identity) throw new Error('The child is not there')
  return identity
}

function leaveBehind(supervisor: ProcessIdentity, child: ProcessIdentity): void {
  const record = { supervisor, children: { gateway: { ...child, stopSignal: 'SIGTERM' } } }
  writePrivateFile(join(dir, 'supervisor.json'), JSON.stringify(record))
}

const gone: ProcessIdentity = { pid: 4_000_000, began: '1' }

describe('claimDir', () => {
  it('refuses a folder whose supervisor runs, and names it', async () => {
    const supervisor = startProcess()
    leaveBehind(supervisor, gone)
    await expect(claimDir(dir)).rejects.toThrow(`process ${String(supervisor.pid)}`)
    expect(isRunning(supervisor)).toBe(true)
  })

  it('records a process as soon as the record can be written, and does not fail until then', async () => {
    const claim = await claimDir(dir)
    // A folder has the name of the draft, so that the draft cannot be written, as on a full disk.
    const draft = join(dir, `supervisor.json.${String(process.pid)}`)
    mkdirSync(join(draft, 'in-the-way'), { recursive: true })
    const child = startProcess()
    claim.record('gateway', child, 'SIGTERM')
    expect(readFileSync(join(dir, 'supervisor.json'), 'utf8')).not.toContain('gateway')
    rmSync(draft, { recursive: true, force: true })
    await eventually('the record', () =>
      readFileSync(join(dir, 'supervisor.json'), 'utf8').includes(`"pid":${String(child.pid)}`),
    )
    claim.release()
  })

  it('ends the processes that a killed supervisor left behind', async () => {
    const orphan = startProcess()
    leaveBehind(gone, orphan)
    await claimDir(dir)
    expect(isRunning(orphan)).toBe(false)
  })

  it('does not end an unrelated process that has the id of a recorded one', async () => {
    const unrelated = startProcess()
    leaveBehind(gone, { pid: unrelated.pid, began: 'at another time' })
    await claimDir(dir)
    expect(isRunning(unrelated)).toBe(true)
  })

  it('ignores a recorded supervisor whose process id another program has by now', async () => {
    const unrelated = startProcess()
    leaveBehind({ pid: unrelated.pid, began: 'at another time' }, gone)
    await expect(claimDir(dir)).resolves.toBeDefined()
  })

  it('records the running processes, and removes the record when released', async () => {
    const claim = await claimDir(dir)
    claim.record('gateway', startProcess(), 'SIGTERM')
    await expect(claimDir(dir)).rejects.toThrow(`process ${String(process.pid)}`)
    claim.release()
    expect(existsSync(join(dir, 'supervisor.json'))).toBe(false)
  })
})
