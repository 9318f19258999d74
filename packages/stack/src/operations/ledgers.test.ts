import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeIdentities } from '../certificates'
import { claimDir } from '../claim'
import { type StackFile, writeStackFile } from '../stack-file'
import { doneIf } from './done'
import { type CellConnection, ledgerOf, openConnections, suggestOtherCountry } from './ledgers'

const ledgersIn = (cell: number) =>
  ['ke', 'ug'].map((country) => ({ country, cell })) as unknown as readonly CellConnection[]
const ledgers = ledgersIn(0)
const connections = { ledgers }
const notFound = doneIf('REPORT_CLOSING_OUTCOME_CLOSING_NOT_FOUND', /_CLOSED$/)
const message = (subject: string, country?: string) =>
  suggestOtherCountry(notFound, connections, { subject, country }).message

test('suggests the other country for an id that was not found, unless one was named', () => {
  expect(message('rc_1')).toBe('closing not found in the ledger of ke: try --country ug')
  expect(message('rc_1', 'ug')).toBe('closing not found')
  expect(message('mpesa:QK00000000')).toBe('closing not found')
})

test('suggests no other country after success, after another refusal, or with one ledger only', () => {
  const request = { subject: 'rc_1', country: undefined }
  for (const done of [doneIf('A_OUTCOME_CLOSED', /_CLOSED$/), doneIf('A_OUTCOME_TOO_EARLY', /x/)])
    expect(suggestOtherCountry(done, connections, request)).toEqual(done)
  expect(suggestOtherCountry(notFound, { ledgers: ledgers.slice(0, 1) }, request)).toEqual(notFound)
})

test('finds the ledger of a receipt by its provider, and asks where several countries have it', () => {
  const countryOf = (subject: string, country?: string) =>
    ledgerOf(connections, subject, country).country
  expect(countryOf('mpesa:QK00000000')).toBe('ke')
  expect(countryOf('mtn_momo:1')).toBe('ug')
  expect(countryOf('rc_1')).toBe('ke')
  expect(() => countryOf('airtel_money:MP1')).toThrow('airtel_money is in ke and ug: name one')
  expect(countryOf('airtel_money:MP1', 'ug')).toBe('ug')
})

test('takes an id for one of the only country that is connected, and no receipt of another', () => {
  const uganda = { ledgers: ledgers.slice(1) }
  expect(ledgerOf(uganda, 'acc_1').country).toBe('ug')
  expect(() => ledgerOf(uganda, 'mpesa:QK00000000')).toThrow('There is no ledger of ke here')
})

test('finds the cell of an id, and asks for that of a receipt where a country has several', () => {
  const several = { ledgers: [...ledgers, ...ledgersIn(1)] }
  const cellOf = (subject: string) => ledgerOf(several, subject).cell
  expect([cellOf(`rf_00${'b'.repeat(22)}`), cellOf(`pl_01${'b'.repeat(22)}`)]).toEqual([0, 1])
  for (const subject of ['mpesa:QK00000000', `rf_07${'b'.repeat(22)}`]) {
    expect(() => cellOf(subject)).toThrow(`Which cell has ${subject}? --cell 0|1`)
  }
})

const processOf = (port: number) => ({
  ...{ pid: 2, metrics_url: 'http://m/metrics', address: `127.0.0.1:${String(port)}` },
})
const host = { base_url: 'http://a', auth_url: 'http://b', callback_url: 'http://c' }
const stack: StackFile = {
  ready: true,
  hosts: { ke: host, ug: host },
  console: { url: 'http://c' },
  simulator: { url: 'http://s' },
  docs_url: 'http://a/docs',
  merchants: [],
  databases: { ledger_ke: 'p', ledger_ug: 'p', keys: 'p', accounts: 'p' },
  redis: 'r',
  supervisor: { pid: process.pid },
  processes: { 'ledger-ke': processOf(1), 'ledger-ug': processOf(2) },
}

test('asks the ledgers of both countries, or of the named one only', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-ledgers-'))
  const claim = await claimDir(dir)
  writeIdentities(join(dir, 'identities'))
  writeStackFile(dir, stack)
  const placesOf = (country?: string) => {
    const { ledgers: opened, close } = openConnections(dir, {}, { country })
    close()
    return opened.map(({ place }) => place)
  }
  expect(placesOf()).toEqual(['ke', 'ug'])
  expect(placesOf('ug')).toEqual(['ug'])
  expect(() => placesOf('tz')).toThrow('There is no ledger of tz here')
  claim.release()
  rmSync(dir, { recursive: true })
})
