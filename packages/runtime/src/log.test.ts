import { spawnSync } from 'node:child_process'
import fs, { closeSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { Fault } from '@malipo/kernel/errors'
import { openLog, openLogFile } from './log'
import { notableEvents } from './metrics'
import { continueTrace, noteSubject, withTrace } from './telemetry'

/** The line of an error with these fields. */
function lineOf(fields: object): string {
  const lines: string[] = []
  const log = openLog('test', 'info', { write: (line) => lines.push(line) })
  withTrace(continueTrace({ requestId: 'request-1' }), () => {
    log.error(fields, 'it happened')
  })
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

test('a line has the time, the service, the request and the message', () => {
  expect(JSON.parse(lineOf({ route: 'get /' }))).toEqual({
    level: 'error',
    time: expect.stringMatching(/^2\d{3}-.*Z$/),
    service: 'test',
    requestId: 'request-1',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    route: 'get /',
    msg: 'it happened',
  })
})

test.each(['authorization', 'secretKey', 'pin', 'password', 'phone', 'sessionToken'])(
  'redacts a field named %s in a line, six levels below it, and in an error',
  (name) => {
    const secret = { [name]: 'a secret value' }
    const deep = { a: { request: [{ b: [{ c: secret }] }] } }
    for (const inner of [secret, { request: secret }, deep]) {
      for (const fields of [inner, { error: Object.assign(new Error('failed'), inner) }]) {
        expect(lineOf(fields)).toContain('[redacted]')
        expect(lineOf(fields)).not.toContain('a secret value')
      }
    }
  },
)

test('a line ends eight levels below it, so that it shows nothing that was not searched', () => {
  const nested = (levels: number): object =>
    levels === 0 ? { phone: '254712345678' } : { inner: nested(levels - 1) }
  for (const fields of [nested(8), nested(1_000), { list: [nested(1_000)] }]) {
    expect(lineOf(fields)).toContain('[deeper]')
    expect(lineOf(fields)).not.toContain('712345678')
  }
})

test('a line of objects that refer to each other is searched once, and has no secret', () => {
  const peers: Record<string, unknown>[] = Array.from({ length: 50 }, () => ({}))
  for (const peer of peers) Object.assign(peer, { peers, at: new Date(0) })
  const line = lineOf({ first: peers[0], secret: { pin: '1357', at: new Date(0) } })
  expect(line).not.toContain('1357')
  expect(line).toContain('"at":"1970-01-01T00:00:00.000Z"')
})

test('an error is logged without its data, at every depth of its causes', () => {
  const detail = 'Failing row contains (acc_1, 254712345678).'
  const state = { code: '23514', detail, where: 'unnamed portal with values (254712345678)' }
  const ofPg = Object.assign(new Error('violates check constraint'), state)
  const cause = { originalCode: '23514', constraint: 'phone_shape', detail }
  const ofPrisma = Object.assign(new Error('failed'), { meta: { driverAdapterError: { cause } } })
  const key = new Error('23514: Key (phone)=(0712345678) already exists for 254712345678')
  const command = { name: 'set', args: ['0712345678'] }
  const ofRedis = Object.assign(new Error('23514'), { command })
  for (const error of [ofPg, ofPrisma, new Error('outer', { cause: ofPg }), key, ofRedis]) {
    const logged = new Fault('internal', {}, error)
    for (const line of [lineOf({ error: logged }), lineOf({ err: logged })]) {
      expect(line).toContain('23514')
      expect(line).not.toContain('712345678')
    }
  }
})

test('log lines of a request or a job have the ids of its subject as soon as they are known', () => {
  const lines: string[] = []
  const log = openLog('test', 'info', { write: (line) => lines.push(line) })
  withTrace(continueTrace({}), () => {
    log.info('first')
    noteSubject({ checkoutId: 'cs_1' })
    noteSubject({ intentId: 'pi_1' })
    log.info('second')
  })
  log.info('beside it')
  const ids = lines.map((line) =>
    /"(checkoutId|intentId)":"\w+","(\w+)":"\w+"/.exec(line)?.slice(1),
  )
  expect(ids).toEqual([undefined, ['checkoutId', 'intentId'], undefined])
})

const notWritten = async () => {
  const { values } = await notableEvents.get()
  return values.find(({ labels }) => labels.name === 'log_not_written')?.value ?? 0
}

test('counts each line that is lost because the buffer of unwritten lines is full', async () => {
  const log = openLog('test', 'info', openLogFile('/dev/null'))
  const before = await notWritten()
  for (let line = 0; line < 3; line += 1) log.info({ text: 'a'.repeat(600_000) })
  expect((await notWritten()) - before).toBe(2)
})

test('a full disk loses lines and does not end the process', async () => {
  const before = await notWritten()
  const log = openLog('test', 'info', openLogFile('/dev/full'))
  for (let line = 0; line < 3; line += 1) log.info('a line')
  await eventually('it is counted', async () => (await notWritten()) > before)
})

test('writes lines again once a full disk has room, also after the buffer of unwritten lines was full', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'malipo-log-')), 'log')
  const log = openLog('test', 'info', openLogFile(file))
  const before = await notWritten()
  const isFull = jest.spyOn(fs, 'write').mockImplementation((...args: unknown[]) => {
    const done = args.at(-1) as (error: Error) => void
    setImmediate(done, Object.assign(new Error('full'), { code: 'ENOSPC' }))
  })
  for (let line = 0; line < 20; line += 1) log.info({ text: 'a'.repeat(100_000) })
  await eventually('lines are lost', async () => (await notWritten()) > before + 10)
  isFull.mockRestore()

  await eventually('later lines are written', () => {
    log.info({ text: 'a'.repeat(100_000) })
    return fs.existsSync(file) && fs.readFileSync(file, 'utf8').length > 1_000_000
  })
  fs.rmSync(dirname(file), { recursive: true })
})

test('process.exit() ends a process whose log is on a full disk', () => {
  const script = `
    const { openLog } = require('${join(__dirname, 'log.ts')}')
    const log = openLog('test', 'info')
    log.info('a line that is being written')
    log.info('a line that waits')
    process.exit(3)`
  const loader = join(__dirname, '../../testing/bin/run-from-source.cjs')
  const args = ['--conditions=@malipo/source', '--require', loader, '--eval', script]
  const full = openSync('/dev/full', 'w')
  const ended = spawnSync('node', args, { stdio: ['ignore', full, 'inherit'], timeout: 20_000 })
  closeSync(full)
  expect([ended.status, ended.signal]).toEqual([3, null])
})
