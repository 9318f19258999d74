import { ConsoleRecordKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { letPass } from '../time.harness'
import { body, consoleRecords } from './console-records.harness'
import { recordsMax } from './rules/console-record'

const at = ledgerOfFile()
const records = consoleRecords(at)

test('keeps at most `recordsMax` records of a kind, and removes the one that would end first', async () => {
  const first = await records.keep({ idleSeconds: 60 })
  const other = await records.keep({ kind: ConsoleRecordKind.LOGIN, idleSeconds: 30 })
  const second = await records.keep()
  await at.database.pool.query(
    `INSERT INTO console_records (kind, digest, body, idle_seconds, expires_at, ends_at)
     SELECT 'session', sha256(n::text::bytea), '', 1800, now() + interval '1 hour', now() + interval '8 hours'
     FROM generate_series(3, $1::int) n`,
    [recordsMax.session],
  )
  await records.keep()
  expect([await records.read(first), await records.read(second)]).toEqual([undefined, body])
  expect(await records.read(other, ConsoleRecordKind.LOGIN)).toEqual(body)
})

test('removes records that have ended when another one is kept', async () => {
  await records.keep()
  await letPass(at.database, 86_400)
  await records.keep()
  const { rows } = await at.database.pool.query('SELECT FROM console_records')
  expect(rows).toHaveLength(1)
})

test.each([
  ['kind', { kind: ConsoleRecordKind.UNSPECIFIED }],
  ['digest', { digest: Buffer.alloc(31) }],
  ['body', { body: Buffer.alloc(2_049) }],
  ['idleSeconds', { idleSeconds: 0 }],
  ['lifeSeconds', { lifeSeconds: 86_401 }],
])('refuses a record with a wrong %s', async (field, changes) => {
  await expect(records.keep(changes)).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field },
  })
})
