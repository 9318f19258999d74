import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { evidence } from '../evidence/evidence.harness'
import { openLedger, type TestLedger } from '../ledger.harness'
import { startLedger } from '../start.harness'
import { letPass, past } from '../time.harness'

// The instant from which an audit checks an invariant, in one process and in the next.

const auditEverySeconds = 0.1
let at: TestLedger
let running: TestLedger['ledger'][]

beforeEach(async () => {
  at = await openLedger({ auditEverySeconds })
  running = [at.ledger]
})

afterEach(async () => {
  await stop()
  await at.database.drop()
})

async function stop(): Promise<void> {
  for (const ledger of running.splice(0)) await ledger.stop()
}

/** Stops the ledger, lets time pass and starts another. */
async function restarted(seconds: number) {
  await stop()
  await letPass(at.database, seconds)
  const next = await startLedger(at.database, { auditEverySeconds })
  running.push(next)
  return next
}

/** The value in the line of the metrics that begins with `line`. */
async function metric({ adminUrl }: { readonly adminUrl: string }, line: string) {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found?.slice(line.length + 1)
}

/** The number of rows that break an invariant, after one more complete audit. */
async function found(ledger: TestLedger['ledger'], invariant: number) {
  const auditedAt = () => metric(ledger, 'malipo_audited_timestamp_seconds')
  const before = await auditedAt()
  await eventually('one more audit', async () => (await auditedAt()) !== before)
  const line = `malipo_invariant_violations{invariant="${String(invariant)}"}`
  return metric(ledger, line)
}

/** Gives a checkout an amount outside the limits, which breaks number 30. */
const spoil = (checkoutId: string) =>
  past(at.database, async (query) => {
    await query('UPDATE checkouts SET amount_minor = 99 WHERE id = $1', [checkoutId])
  })

test('what was found before a restart is found after it, however long ago it happened', async () => {
  const { checkoutId } = await at.pay.checkout()
  await spoil(checkoutId)
  await eventually('it is found', async () => (await found(at.ledger, 30)) === '1')
  expect(await found(await restarted(3 * 86_400), 30)).toBe('1')
})

/** The instant until which an invariant was found to hold, in milliseconds; 0 before its first audit. */
async function mark(invariant: number): Promise<number> {
  const { rows } = await at.database.pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM held_until)::float8 * 1000 AS ms FROM audit_marks WHERE invariant = $1',
    [invariant],
  )
  return rows[0]?.ms ?? 0
}

/** Resolves once the mark of each invariant has moved. */
async function moved(...invariants: number[]): Promise<void> {
  for (const invariant of invariants) {
    const before = await mark(invariant)
    await eventually('its mark moves', async () => (await mark(invariant)) > before)
  }
}

test('an invariant that does not hold is audited from where it held, and every other from its own last audit', async () => {
  const { checkoutId } = await at.pay.checkout()
  await moved(30)
  await spoil(checkoutId)
  await eventually('it is found', async () => (await found(at.ledger, 30)) === '1')
  const held = await mark(30)
  await moved(12, 29)
  await moved(12, 29)
  expect(await mark(30)).toBe(held)
})

test('a report of payment that is open for long is found in each audit, and the mark of its invariant still moves', async () => {
  await at.pay.paid(await evidence(at).pending(), { sourceKnown: false })
  await letPass(at.database, 660)
  await eventually('it is found', async () => (await found(at.ledger, 9)) === '1')
  await moved(9)
  expect(await found(at.ledger, 9)).toBe('1')
})

test('marks from before the clock of the database was set back hide nothing that happens after it', async () => {
  await moved(12, 30)
  await past(at.database, async (query) => {
    await query(`UPDATE audit_marks SET held_until = now() + interval '1 day'`)
  })
  const { checkoutId } = await at.pay.checkout()
  await spoil(checkoutId)
  await eventually('it is found', async () => (await found(at.ledger, 30)) === '1')
  await eventually('no mark is ahead', async () => (await mark(12)) < systemClock.now() + 60_000)
})

test('an invariant whose query gets no answer is audited again from the same instant, and the others from a later one', async () => {
  await moved(14)
  const holder = await at.database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE card_sessions IN ACCESS EXCLUSIVE MODE')
  const line = 'malipo_invariant_violations{invariant="14"}'
  const isGone = async () => (await metric(at.ledger, line)) === undefined
  await eventually('number 14 is not answered', isGone)
  const held = await mark(14)
  await moved(12, 29)
  expect(await mark(14)).toBe(held)
  await holder.query('COMMIT')
  holder.release()
  await moved(14)
})
