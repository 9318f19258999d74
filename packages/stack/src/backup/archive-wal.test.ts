import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  // Says what is synced, in the order in which it is.
  writeFileSync(join(dir, 'bin/sync'), `#!/bin/sh\necho "$@" >> ${synced}\n`)
  chmodSync(join(dir, 'bin/sync'), 0o755)
})
afterAll(() => {
  rmSync(dir, { recursive: true })
})

/** Archives the segment as the server of this folder does. Returns the paths that are synced. */
function archiveSegment(): string[] {
  writeFileSync(synced, '')
  const script = join(repositoryDir, 'packages/stack/bin/archive-wal.sh')
  execFileSync('sh', [script, 'segment', '000000010000000000000001', join(dir, 'backups')], {
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
