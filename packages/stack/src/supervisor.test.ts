import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { isRunning } from './process-identity'
import type { Supervised } from './supervise'
import { openSupervisor, type Supervisor } from './supervisor'

const home = mkdtempSync(join(tmpdir(), 'malipo-supervisor-'))
const claim = { record: () => undefined, release: () => undefined }

let dir: string
const logged = () => readFileSync(join(dir, 'logs', 'gateway-ke.log'), 'utf8')

let supervisor: Supervisor
beforeEach(() => {
  dir = mkdtempSync(join(home, 'stack-'))
  supervisor = openSupervisor({ dir, claim, began: () => undefined })
})
afterAll(() => {
  rmSync(home, { recursive: true })
})

/** A service that prints `ready`, and does this when it is asked to stop. */
async function keepService(onStop: string): Promise<Supervised> {
  const script = `process.on('SIGTERM', () => { ${onStop} }); setInterval(() => undefined, 1000); console.log('ready')`
  const kept = supervisor.keep('front', {
    ...{ name: 'gateway-ke', command: process.execPath, args: ['-e', script], env: {} },
    stopSignals: ['SIGTERM'],
  })
  await eventually('a service that runs', () => logged().endsWith('ready\n'))
  return kept
}

test('a service that drains for longer than a second ends by itself, and is named meanwhile', async () => {
  await keepService(`setTimeout(() => { console.log('drained'); process.exit() }, 2500)`)
  const waited: string[] = []
  await supervisor.stopAll((line) => waited.push(line))
  expect(logged()).toMatch(/drained\n$/)
  expect(waited).toEqual([
    'Waiting for gateway-ke, 5 seconds at most. Ctrl-C again ends services at once.',
  ])
})

test('a service that hangs while it stops is killed when services are ended at once, and not started again', async () => {
  const kept = await keepService(`console.log('hangs')`)
  const identity = kept.identity()
  const stopped = supervisor.stopAll(() => undefined)
  await eventually('a service that hangs', () => logged().endsWith('hangs\n'))
  const beganAt = performance.now()
  supervisor.killServices()
  await stopped
  expect(performance.now() - beganAt).toBeLessThan(4_000)
  expect(identity && isRunning(identity)).toBe(false)
  expect(kept.identity()).toBeUndefined()
})
