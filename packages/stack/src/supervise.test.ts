import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { isRunning, type ProcessIdentity } from './process-identity'
import { type Supervised, supervise } from './supervise'

const dir = mkdtempSync(join(tmpdir(), 'malipo-supervise-'))
const supervised: Supervised[] = []

afterEach(async () => {
  await Promise.all(supervised.splice(0).map((one) => one.stop(600)))
})
afterAll(() => {
  rmSync(dir, { recursive: true })
})

function run(script: string, logFile = join(dir, 'test.log')) {
  const delays: number[] = []
  const processes: ProcessIdentity[] = []
  const one = supervise(
    {
      name: 'test',
      command: process.execPath,
      args: ['-e', script],
      env: {},
      logFile,
      stopSignals: ['SIGTERM'],
    },
    {
      began: (_, identity) => processes.push(identity),
      ended: (_, __, restartsInMs) => delays.push(restartsInMs),
    },
  )
  supervised.push(one)
  return { one, delays, processes }
}

const forever = 'setInterval(() => undefined, 1000)'

describe('supervise', () => {
  it('starts a killed program again, as another process', async () => {
    const { one, processes } = run(forever)
    const [first] = processes
    process.kill(first?.pid ?? 0, 'SIGKILL')
    const second = await eventually('a second process', () => processes[1])
    expect(second.pid).not.toBe(first?.pid)
    expect(one.endings()).toBe(1)
    expect(isRunning(second)).toBe(true)
  })

  it('waits longer before each restart of a program that ends early', async () => {
    const { delays } = run('process.exit(1)')
    await eventually('three ends', () => delays.length >= 3)
    expect(delays.slice(0, 3)).toEqual([100, 200, 400])
  })

  it.each([
    ['was removed', () => undefined],
    [
      'cannot be made again',
      (logs: string) => {
        writeFileSync(logs, '')
      },
    ],
  ])('starts a program again whose folder of logs %s', async (_, leave) => {
    const logs = mkdtempSync(join(dir, 'logs-'))
    const { processes } = run(forever, join(logs, 'test.log'))
    rmSync(logs, { recursive: true })
    leave(logs)
    process.kill(processes[0]?.pid ?? 0, 'SIGKILL')
    const second = await eventually('a second process', () => processes[1])
    expect(isRunning(second)).toBe(true)
  })

  it('retries a program whose file is missing, without crashing', async () => {
    const delays: number[] = []
    const one = supervise(
      {
        name: 'no',
        command: '/no/such/file',
        args: [],
        env: {},
        logFile: join(dir, 'no.log'),
        stopSignals: [],
      },
      { began: () => undefined, ended: (_, __, delay) => delays.push(delay) },
    )
    supervised.push(one)
    await eventually('two attempts', () => delays.length >= 2)
    expect(one.identity()).toBeUndefined()
  })

  it('stops a program by SIGTERM, and does not start it again', async () => {
    const { one, processes } = run(
      `process.on('SIGTERM', () => { console.log('goodbye'); process.exit() }); console.log('hello'); ${forever}`,
    )
    await eventually('a greeting', () => logged().includes('hello'))
    await one.stop(3_000)
    expect(logged()).toContain('goodbye')
    expect(processes.map(isRunning)).toEqual([false])
  })

  it('kills a program that ignores SIGTERM, at the deadline', async () => {
    const { one, processes } = run(
      `process.on('SIGTERM', () => undefined); console.log('deaf'); ${forever}`,
    )
    await eventually('a greeting', () => logged().includes('deaf'))
    // The program ignores SIGTERM, so only SIGKILL ends it.
    await one.stop(600)
    expect(processes.map(isRunning)).toEqual([false])
  })

  it('stops a program that waits for its next start', async () => {
    const { one, delays } = run('process.exit(1)')
    await eventually('an end', () => delays.length === 1)
    await one.stop(600)
    const another = run('process.exit(1)')
    await eventually('the time of a next start', () => another.delays.length === 3)
    expect(delays).toHaveLength(1)
  })
})

function logged(): string {
  return readFileSync(join(dir, 'test.log'), 'utf8')
}
