import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundLogs } from './bound-logs'

const dir = mkdtempSync(join(tmpdir(), 'malipo-logs-'))
const logs = boundLogs(dir, 100)

afterAll(() => {
  logs.stop()
  rmSync(dir, { recursive: true })
})

describe('boundLogs', () => {
  it('moves a full log aside, so that its writer goes on in an empty file', () => {
    const file = join(dir, 'gateway.log')
    writeFileSync(file, 'x'.repeat(101))
    logs.check()
    appendFileSync(file, 'next')
    expect(readFileSync(file, 'utf8')).toBe('next')
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('x'.repeat(101))
  })

  it('keeps a full log while there is no room for a copy, and moves it aside when there is', () => {
    const file = join(dir, 'keys.log')
    writeFileSync(file, 'x'.repeat(101))
    // A folder has the name of the copy, so that the copy cannot be made, as on a full disk.
    mkdirSync(`${file}.1`)
    logs.check()
    expect(readFileSync(file, 'utf8')).toHaveLength(101)
    logs.check()
    expect(readFileSync(file, 'utf8')).toHaveLength(0)
  })

  it('leaves a log below the bound alone', () => {
    const file = join(dir, 'worker.log')
    writeFileSync(file, 'x'.repeat(100))
    logs.check()
    expect(readFileSync(file, 'utf8')).toHaveLength(100)
  })

  it('goes on to the next log where one was removed', () => {
    const file = join(dir, 'redis.log')
    // A link to nothing is listed and has no size, as a log that is removed at that moment.
    symlinkSync(join(dir, 'nothing'), join(dir, 'a-removed.log'))
    writeFileSync(file, 'x'.repeat(101))
    logs.check()
    expect(readFileSync(file, 'utf8')).toHaveLength(0)
  })

  it('makes its folder again when that was removed', () => {
    rmSync(dir, { recursive: true })
    logs.check()
    expect(readdirSync(dir)).toEqual([])
  })
})
