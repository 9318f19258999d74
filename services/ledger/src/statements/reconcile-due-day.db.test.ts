import { isDeepStrictEqual } from 'node:util'
import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openAuditDatabase } from '../database/database'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { past } from '../time.harness'
import { reconcileDueDay } from './store/recon-reports'

const at = ledgerOfFile({ reconcileEverySeconds: 3_600 })

test('two ledgers that find a day due in the same moment make one report of it', async () => {
  const ledgers = [openAuditDatabase(at.database.url), openAuditDatabase(at.database.url)]
  const made = await meanwhile(at, ['LOCK TABLE recon_reports IN SHARE MODE', []], () =>
    Promise.all(ledgers.map((db) => reconcileDueDay(db))),
  )
  expect(made.filter((reports) => reports.length > 0)).toHaveLength(1)
  const { rows } = await at.database.pool.query(
    'SELECT day, provider, count(*)::int AS count FROM recon_reports GROUP BY day, provider',
  )
  expect(rows).not.toEqual([])
  expect(rows).toEqual(rows.map((row: object) => ({ ...row, count: 1 })))
  await Promise.all(ledgers.map((db) => db.$disconnect()))
})

/** The days of a ledger that began at noon four days before the newest due day, the oldest first. */
async function missedDays() {
  const local = `(now() AT TIME ZONE 'Africa/Nairobi' - interval '25 hours')::date`
  await past(at.database, async (query) => {
    await query('DELETE FROM recon_reports')
    await query(
      `UPDATE deployment SET created_at = (${local} - 4 + time '12:00') AT TIME ZONE 'Africa/Nairobi'`,
    )
  })
  const { rows } = await at.database.pool.query<{ day: string; from: Date; until: Date }>(
    `SELECT (${local} - n)::text AS day, d.created_at AS from, now() AS until
    FROM deployment d, generate_series(4, 0, -1) n`,
  )
  return rows
}

/** The days of the reports that `rounds` rounds make, and one more that should make none. */
async function madeBy(db: ReturnType<typeof openAuditDatabase>, rounds: number) {
  const made: string[] = []
  for (let round = 0; round <= rounds; round += 1) {
    made.push(...new Set((await reconcileDueDay(db)).map(({ day }) => day)))
  }
  return made
}

test('the reports of days that were missed are made, the oldest first, and again once their statement was read', async () => {
  const days = await missedDays()
  const names = days.map(({ day }) => day)
  const db = openAuditDatabase(at.database.url)
  expect(await madeBy(db, names.length)).toEqual(names)
  for (const { from, until } of days.slice(0, 1)) {
    await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  }
  expect(await madeBy(db, names.length)).toEqual(names)
  await db.$disconnect()
})

test('while the reports of all days are whole and read to the end, no readings of statements are loaded', async () => {
  const days = await missedDays()
  const db = openAuditDatabase(at.database.url)
  for (const { from, until } of days.slice(0, 1)) {
    await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  }
  await madeBy(db, days.length)
  await at.database.pool.query('ALTER TABLE statement_reads RENAME TO hidden_reads')
  const made = await reconcileDueDay(db).catch((error: unknown) => error)
  await at.database.pool.query('ALTER TABLE hidden_reads RENAME TO statement_reads')
  expect(made).toEqual([])
  await db.$disconnect()
})

test('a day whose report fails each time holds up no newer day, and is made once it can be', async () => {
  const [oldest, ...newer] = (await missedDays()).map(({ day }) => day)
  await at.database.pool.query(`
    CREATE FUNCTION refuse_report() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no report of this day'; END $$;
    CREATE TRIGGER refuse_report BEFORE INSERT ON recon_reports FOR EACH ROW
      WHEN (NEW.day = '${String(oldest)}') EXECUTE FUNCTION refuse_report()`)
  await at.another({ reconcileEverySeconds: 0.1 })
  const reported = async () => {
    const { rows } = await at.database.pool.query<{ day: string }>(
      'SELECT DISTINCT day::text AS day FROM recon_reports ORDER BY 1',
    )
    return rows.map(({ day }) => day)
  }
  const isNow = (days: readonly unknown[]) => async () => isDeepStrictEqual(await reported(), days)
  await eventually('the newer days are reported', isNow(newer))
  await at.database.pool.query('DROP TRIGGER refuse_report ON recon_reports')
  await eventually('the oldest day is reported', isNow([oldest, ...newer]))
})
