import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from '../migrate'

const dir = mkdtempSync(join(tmpdir(), 'malipo-archive-'))
const archive = join(dir, 'backups/1/wal')
const synced = join(dir, 'synced')

beforeAll(() => {
  for (const folder of ['global', 'bin', 'backups/1/wal'])
    mkdirSync(join(dir, folder), { recursive: true })
  const system = Buffer.alloc(8)
  system.writeBigUInt64LE(1n)
  writeFileSync(join(dir, 'global/pg_control'), system)
  writeFileSync(join(dir, 'segment'), 'log')
  // A `sync` that only records what it is given, in order.
  writeFileSync(join(dir, 'bin/sync'), `#!/bin/sh\necho "$@" >> ${synced}\n`)
  chmodSync(join(dir, 'bin/sync'), 0o755)
})
afterAll(() => {
  rmSync(dir, { recursive: true })
})

const segmentOf = (place: number) => `00000001${String(place).padStart(16, '0')}`

/** Archives a segment as the server of this folder does. Returns the paths that are synced. */
function archiveSegment(name = segmentOf(1), ...mostKb: readonly string[]): string[] {
  writeFileSync(synced, '')
  const script = join(repositoryDir, 'packages/stack/bin/archive-wal.sh')
  execFileSync('sh', [script, 'segment', name, join(dir, 'backups'), ...mostKb], {
    cwd: dir,
    env: { ...process.env, PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}` },
  })
  return readFileSync(synced, 'utf8').trim().split('\n')
}

test('syncs a segment before it has its name, then the folder that has the name', () => {
  expect(archiveSegment()).toEqual([join(archive, '000000010000000000000001.gz.partial'), archive])
})

test('syncs the folder again when the server asks again for a segment that is there', () => {
  expect(archiveSegment()).toEqual([archive])
})

describe('beside a full archive', () => {
  /** Makes a folder of a whole backup, named and dated by a clock, whose log begins at the place. */
  function backUp(at: string, place: number): void {
    const folder = join(dir, 'backups/1', at)
    mkdirSync(folder)
    const about = { system: '1', firstSegment: segmentOf(place), lastSegment: segmentOf(place) }
    writeFileSync(join(folder, 'about.json'), JSON.stringify(about, undefined, 2))
    utimesSync(folder, new Date(at), new Date(at))
  }

  /** Puts 40 KB of log into the archive at the place, at a time. */
  function putLog(place: number, at: string): void {
    const file = join(archive, `${segmentOf(place)}.gz`)
    writeFileSync(file, Buffer.alloc(40_960, 1))
    utimesSync(file, new Date(at), new Date(at))
  }

  /** Whether a segment is kept where the archive may grow by 60 KB after a backup. */
  function isKept(place: number): boolean {
    archiveSegment(segmentOf(place), '60')
    return existsSync(join(archive, `${segmentOf(place)}.gz`))
  }

  afterEach(() => {
    rmSync(join(dir, 'backups/1'), { recursive: true })
    mkdirSync(archive, { recursive: true })
  })

  it('counts the log since the backup that is last in the log, where the clock of one before had run ahead', () => {
    backUp('2031-01-01', 10)
    backUp('2026-11-28', 20)
    putLog(21, '2026-11-29')
    expect(isKept(22)).toBe(true)
    putLog(23, '2026-11-29')
    expect(isKept(24)).toBe(false)
  })

  it('keeps the log of a backup that the clock named and dated before the one that it followed', () => {
    backUp('2026-11-27', 10)
    for (const place of [11, 12]) putLog(place, '2026-11-28')
    backUp('2020-01-01', 20)
    expect(isKept(21)).toBe(true)
  })

  it('counts no log of before a backup that is under way', () => {
    backUp('2026-11-27', 10)
    for (const place of [11, 12]) putLog(place, '2026-11-28')
    expect(isKept(13)).toBe(false)
    const partial = join(dir, 'backups/1/2020-01-01.partial')
    mkdirSync(partial)
    writeFileSync(join(partial, 'first-segment'), `${segmentOf(13)}\n`)
    writeFileSync(join(dir, 'backup.lock'), '')
    expect(isKept(13)).toBe(true)
    rmSync(join(dir, 'backup.lock'))
    expect(isKept(14)).toBe(false)
  })
})

describe('without the folder of the archive', () => {
  const settings = join(dir, 'postgresql.auto.conf')

  beforeAll(() => {
    rmSync(archive, { recursive: true })
  })

  it('passes over a segment before the first backup, which makes the folder', () => {
    expect(archiveSegment()).toEqual([''])
    writeFileSync(settings, "synchronous_standby_names = 'standby'\n")
    expect(archiveSegment()).toEqual([''])
  })

  it('fails once archiving has begun, so that the server keeps the segment for a disk that is away', () => {
    writeFileSync(settings, "archive_timeout = '30s'\n")
    expect(archiveSegment).toThrow(`archive ${archive} is not there`)
    mkdirSync(archive)
    expect(archiveSegment()).toHaveLength(2)
  })
})
