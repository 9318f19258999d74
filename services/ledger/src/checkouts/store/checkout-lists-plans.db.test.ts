import { ledgerOfFile } from '../../ledger.harness'
import { openDatabases } from '../../database/database'
import { past } from '../../time.harness'
import { listCheckouts } from './checkout-lists'

const at = ledgerOfFile()
const history = 3_000

test('the list of open checkouts reads few more than are open, however many the account has made', async () => {
  const accountId = await at.pay.merchant()
  const inFlight = (await at.pay.checkout({ accountId })).checkoutId
  await at.pay.pending(inFlight)
  await past(at.database, async (query) => {
    await query(
      `UPDATE checkouts SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE id = $1`,
      [inFlight],
    )
    await query(
      `INSERT INTO checkouts SELECT (jsonb_populate_record(NULL::checkouts, to_jsonb(c) || jsonb_build_object(
        'id', 'cs_ke_' || lpad(n::text, 24, '0'), 'created_at', c.created_at + make_interval(secs => n),
        'expires_at', c.expires_at + make_interval(secs => n)
      ))).* FROM (SELECT * FROM checkouts WHERE id = $1) c, generate_series(1, ${String(history)}) n`,
      [inFlight],
    )
  })
  await at.database.pool.query('ANALYZE checkouts')
  const fresh = (await at.pay.checkout({ accountId })).checkoutId
  const databases = openDatabases(at.database.url)
  const { db: reads, pool } = databases.read
  const { found, rows } = await reads.$transaction(async (tx) => {
    const db = tx as typeof reads
    const open = await listCheckouts(
      { db, pool, lifeSeconds: 1_800, payBill: { holdSeconds: 600 } },
      {
        ...{ accountId, limit: 25, status: 'open', search: '' },
        ...{ beforeCheckoutId: undefined, isPaidAfterExpiry: false, isMoneyHeld: false },
        ...{ createdFrom: undefined, createdUntil: undefined },
      },
    )
    const [read] = await tx.$queryRaw<[{ rows: number }]>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'checkouts'`
    return { found: open.map(({ checkoutId }) => checkoutId), ...read }
  })
  expect(found).toEqual([fresh, inFlight])
  expect(rows).toBeLessThan(20)
  await Promise.all(Object.values(databases).map((one) => one.close()))
})
