import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { acceptCopy, copyMarkFileOf } from './restored'

const dir = mkdtempSync(join(tmpdir(), 'malipo-restored-'))

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

test('refuses to accept a copy where no ledger has marked its database', () => {
  expect(() => acceptCopy(dir, { country: 'ke' }, 'backup of noon')).toThrow(
    'there is nothing to accept',
  )
})

test('accepts the older copy for the ledger of one country only', () => {
  for (const country of ['ke', 'ug'] as const) {
    mkdirSync(dirname(copyMarkFileOf(dir, country)), { recursive: true })
    writeFileSync(copyMarkFileOf(dir, country), '{}')
  }
  expect(acceptCopy(dir, { country: 'ke' }, 'backup of noon')).toContain('The ledger of ke')
  const accepted = (country: 'ke' | 'ug') => existsSync(`${copyMarkFileOf(dir, country)}.accepted`)
  expect([accepted('ke'), accepted('ug')]).toEqual([true, false])
})
