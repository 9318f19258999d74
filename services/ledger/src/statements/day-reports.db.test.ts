import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { z } from 'zod'
import { ledgerOfFile } from '../ledger.harness'
import { past } from '../time.harness'

const at = ledgerOfFile({ reconcileEverySeconds: 0.1 })

async function reports(): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ day: string }>(
    'SELECT day::text FROM recon_reports',
  )
  return rows.map(({ day }) => day)
}

/** The seconds since the end of the newest day that has a report. */
async function ageSeconds(): Promise<number> {
  const text = await (await fetch(`${at.ledger.adminUrl}/metrics`)).text()
  const [, endedAt = '0'] = /^malipo_reported_day_timestamp_seconds (\S+)$/m.exec(text) ?? []
  return systemClock.now() / 1_000 - z.coerce.number().parse(endedAt)
}

/** The report of yesterday is due an hour after midnight; until then that of the day before is the newest. */
const isYesterdays = async () => {
  const age = await ageSeconds()
  return age >= 3_600 && age <= 25 * 3_600
}

test('the report of a day is made by itself, also when one was made before the day was over', async () => {
  await eventually('it is made', async () => (await reports()).length > 0)
  const first = await reports()
  await past(at.database, async (query) => {
    await query(`UPDATE recon_reports SET made_at = made_at - interval '26 hours'`)
  })
  await eventually('it is made again', async () => (await reports()).length > first.length)
  expect((await reports()).sort()).toEqual([...first, ...first].sort())
})

test('the age of the newest reported day is a metric, which grows while no report can be made', async () => {
  await eventually('it is that of yesterday', isYesterdays)
  await at.database.pool.query(`
    CREATE FUNCTION refuse_report() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no report today'; END $$;
    CREATE TRIGGER refuse_report BEFORE INSERT ON recon_reports EXECUTE FUNCTION refuse_report()`)
  await past(at.database, async (query) => {
    await query('DELETE FROM recon_reports')
    await query(`UPDATE deployment SET created_at = now() - interval '3 days'`)
  })
  await eventually('it is that of the ledger', async () => (await ageSeconds()) > 2 * 86_400)
  await at.database.pool.query('DROP TRIGGER refuse_report ON recon_reports')
  await eventually('it is that of yesterday again', isYesterdays)
})
