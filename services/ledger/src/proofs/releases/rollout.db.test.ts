import { schema } from '../../database/schema-version'
import { brokenInvariants } from '../../invariants.harness'
import { main as pin } from './pin.harness'
import { openEmptyDatabase, rollOut } from './rollout.harness'
import { main } from './rollout-command.harness'

const paymentsOfPhase = 16

test('row 88: an earlier ledger and today’s share a database, and each payment of a rollout and of a roll back is made once', async () => {
  const database = await openEmptyDatabase()
  const rollout = await rollOut(database, paymentsOfPhase)
  expect(rollout).toMatchObject({ failures: [], wrong: 0 })
  expect(rollout.payments).toBeGreaterThanOrEqual(6 * paymentsOfPhase)

  // Each ledger answered calls only in the phases in which it ran.
  const took = Object.entries(rollout.calls).map(([phase, { earlier, today }]) => [
    phase,
    [earlier > 0 && 'earlier', today > 0 && 'today'].filter(Boolean).join(' and '),
  ])
  expect(Object.fromEntries(took)).toEqual({
    earlier: 'earlier',
    'earlier, migrated': 'earlier',
    both: 'earlier and today',
    today: 'today',
    'both, rolled back': 'earlier and today',
    'earlier again': 'earlier',
  })

  const { rows } = await database.pool.query(`
    SELECT count(*)::int AS transfers, count(DISTINCT event_key)::int AS receipts,
      (SELECT count(*)::int FROM intents WHERE status = 'completed' AND disposition = 'merchant') AS completed,
      (SELECT version FROM schema_version()) AS version
    FROM transfers`)
  const { payments } = rollout
  expect(rows).toEqual([
    { transfers: payments, receipts: payments, completed: payments, version: schema.version },
  ])
  // The database has a trigger for the earlier ledger, and today's writes events by itself.
  const events = await database.pool.query(`
    SELECT type, count(*)::int AS events, count(DISTINCT subject_id)::int AS checkouts FROM webhook_events
    GROUP BY type ORDER BY type`)
  expect(events.rows).toEqual(
    ['checkout.completed', 'payment.failed'].map((type) => ({
      ...{ type, events: payments, checkouts: payments },
    })),
  )
  expect(await brokenInvariants(database)).toEqual({})
  await database.drop()
})

test.each([
  ['rollout', main],
  ['pin-ledger', pin],
])('npm run %s prints its usage', async (name, command) => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await command(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toContain(`Usage: npm run ${name}`)
  stdout.mockRestore()
})
