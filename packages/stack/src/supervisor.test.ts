import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { claimDir } from './claim'
import { openSupervisor, type Supervisor } from './supervisor'

const dir = mkdtempSync(join(tmpdir(), 'malipo-supervisor-'))
const logFile = join(dir, 'logs/counter.log')

let supervisor: Supervisor
let release: () => void

beforeAll(async () => {
  const claim = await claimDir(dir)
  release = () => {
    claim.release()
  }
  supervisor = openSupervisor({ dir, claim, began: () => undefined })
})
afterAll(async () => {
  await supervisor.stopAll()
  release()
  rmSync(dir, { recursive: true })
})

const logged = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n') : [])

/** Runs a program that logs 1, 2, 3 and so on, and says goodbye at its end. */
function count() {
  const script = `let count = 0; setInterval(() => console.log(++count), 5)
    process.on('SIGTERM', () => { console.log('goodbye'); process.exit() })`
  const program = { name: 'counter', command: process.execPath, args: ['-e', script], env: {} }
  return supervisor.keep('front', { ...program, stopSignals: ['SIGTERM'] })
}

test('the log of a program that runs goes on when its file was removed, to its last line', async () => {
  const program = count()
  await eventually('it logs', () => logged().length > 3)
  rmSync(join(dir, 'logs'), { recursive: true })
  const [first = ''] = await eventually('it goes on', () => logged().length > 3 && logged())
  const numbers = logged()
    .filter((line) => /^\d+$/.test(line))
    .map(Number)
  expect(Number(first)).toBeGreaterThan(0)
  expect(numbers).toEqual(numbers.map((_, index) => Number(first) + index))
  rmSync(join(dir, 'logs'), { recursive: true })
  await program.stop(2_000)
  await eventually('its end is logged', () => logged().includes('goodbye'))
})
