import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AboutBackup, aboutFileOf } from './about'
import { prune } from './prune'

const home = mkdtempSync(join(tmpdir(), 'malipo-prune-'))

afterAll(() => {
  rmSync(home, { recursive: true })
})

const segmentOf = (place: number) => `0000000100000000000000${String(place)}`

/** Makes a whole backup whose log begins at the place, and the segment of that place. */
function backUp(name: string, place: number): string {
  const folder = join(home, name)
  mkdirSync(folder)
  mkdirSync(join(home, 'wal'), { recursive: true })
  writeFileSync(join(home, 'wal', `${segmentOf(place)}.gz`), '')
  const about: AboutBackup = {
    stackDir: home,
    system: '1',
    postgres: '18',
    startedAt: '2026-11-28T02:00:00.000Z',
    completedAt: '2026-11-28T02:00:00.000Z',
    firstSegment: segmentOf(place),
    lastSegment: segmentOf(place),
  }
  writeFileSync(aboutFileOf(folder), JSON.stringify(about))
  return folder
}

test('keeps the backup just made and the one before it, with their log, where the clock had run ahead', () => {
  backUp('2031-01-01T02-00-00.000Z', 10)
  backUp('2031-01-02T02-00-00.000Z', 20)
  prune(home, backUp('2026-11-28T02-00-00.000Z', 30))
  expect(readdirSync(home)).toEqual(['2026-11-28T02-00-00.000Z', '2031-01-02T02-00-00.000Z', 'wal'])
  expect(readdirSync(join(home, 'wal'))).toEqual([20, 30].map((place) => `${segmentOf(place)}.gz`))
})
