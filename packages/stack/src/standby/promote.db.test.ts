import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { playMainJob } from '../demo'
import { readStackFile } from '../stack-file'
import { type StartedStack, startStack } from '../start.harness'

const home = mkdtempSync(join(tmpdir(), 'malipo-promote-'))
const dir = join(home, 'stack')
const startDeadlineMs = 300_000

let running: StartedStack

beforeAll(() => {
  running = startStack(dir, ['--standby'])
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended()
  rmSync(home, { recursive: true, force: true })
})

function untilIt(what: string, is: () => boolean, everyMs?: number): Promise<boolean> {
  const isRunning = () => running.child.exitCode === null && running.child.signalCode === null
  const ask = () => {
    if (isRunning()) return is()
    throw new Error(`It ended: ${running.output()}`)
  }
  return eventually(what, ask, startDeadlineMs, everyMs)
}

test('a standby is promoted once, however early and often that is asked for', async () => {
  await untilIt('stack.json', () => readStackFile(dir)?.standby === true, 1)
  running.child.kill('SIGUSR2')
  await untilIt('the promotion', () => running.output().includes('Ending the server'))
  running.child.kill('SIGUSR2')
  await untilIt('its end', () => readStackFile(dir)?.standby === false)
  const stack = await running.ready()
  expect(running.output()).not.toContain('not promoted')
  expect(running.output().match(/Ending the server/g)).toHaveLength(1)
  expect(readdirSync(dir).filter((name) => name.startsWith('postgres.lost-'))).toHaveLength(1)
  // The services connect again one after another.
  await eventually('a payment', () =>
    playMainJob(stack, () => undefined).then(
      () => true,
      () => false,
    ),
  )
})
