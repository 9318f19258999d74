import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import type { Attempt } from './gateway.harness'
import type { Operators } from './operators.harness'
import { logged, openSurroundings, type Surroundings } from './start.harness'

/**
 * MTN Uganda moves its partners to another platform; for a while both run, and a setting selects the one for new
 * prompts. Airtel supports signed payments, and refunds by API.
 */

const shared = {
  MTN_MOMO_SUBSCRIPTION_KEY: 'subscription-key',
  MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'api-key',
  MTN_MOMO_NEW_USER_ID: 'TWFsaXBvIFVnYW5kYQ==',
  MTN_MOMO_NEW_CREDENTIAL_TOKEN: 'to:ken+/=',
  AIRTEL_CLIENT_ID: 'id',
  AIRTEL_CLIENT_SECRET: 'secret',
  AIRTEL_MESSAGE_SIGNING: 'true',
}
const amountMinor = 500_000n
const tokenMs = 12_000

let around: Surroundings
let operators: Operators
const workers: Started[] = []

beforeAll(async () => {
  around = await openSurroundings(shared, 'ug')
  operators = await around.openOperators()
})

afterAll(async () => {
  operators.close()
  await Promise.all(workers.map((worker) => worker.stop()))
  await around.stop()
})

/**
 * A worker with credentials of both platforms. The new platform's token takes time, so the test moves the clock over
 * it.
 */
async function startOn(platform: 'legacy' | 'new'): Promise<Started> {
  const starting = around.startWorker({
    ...shared,
    MTN_MOMO_BASE_URL: around.simulatorUrl,
    MTN_MOMO_NEW_BASE_URL: `${around.simulatorUrl}/mtn-new`,
    MTN_MOMO_PLATFORM: platform,
    AIRTEL_BASE_URL: around.simulatorUrl,
    AIRTEL_API_VERSION: 'v2',
    AIRTEL_REFUNDS: 'true',
  })
  await eventually('a token is on its way', async () => {
    const clock = await around.control('GET', '/clock')
    return JSON.stringify(clock).includes('the answer to token')
  })
  await jump(tokenMs)
  const worker = await starting
  workers.push(worker)
  return worker
}

const jump = (ms: number) => around.control('POST', '/clock', { jump_ms: ms })

async function pay(count: number): Promise<Attempt[]> {
  const phones = await Promise.all(Array.from({ length: count }, () => phoneThatFollowsThePack()))
  return Promise.all(phones.map((phone) => around.pay(phone, undefined, amountMinor)))
}

const phoneThatFollowsThePack = () => around.addPhone('ask')

async function areAll(attempts: readonly Attempt[], status: string): Promise<void> {
  for (const { checkoutId } of attempts) {
    await eventually(`${checkoutId} is ${status}`, async () => {
      const attempt = await around.attempt(checkoutId)
      return attempt?.status === status
    })
  }
}

test('pays each payment in flight at the cut-over once, and queries it on the platform that took it', async () => {
  await around.control('POST', '/packs/platform-move', {})
  const before = await startOn('legacy')
  const inFlight = await pay(4)
  await areAll(inFlight, 'INTENT_STATUS_PENDING')
  await before.stop()
  workers.length = 0

  // The payers approve while the worker starts, and the pack drops all callbacks: only status queries report it.
  await startOn('new')
  const since = await pay(4)
  await areAll(since, 'INTENT_STATUS_PENDING')
  await jump(tokenMs)
  await areAll([...inFlight, ...since], 'INTENT_STATUS_COMPLETED')

  expect(await platformsOf(inFlight)).toEqual(Array(4).fill('legacy'))
  expect(await platformsOf(since)).toEqual(Array(4).fill('new'))
  const book = (await around.control('GET', '/book')) as { receipt: string; amount: string }[]
  expect(book.map(({ amount }) => amount)).toEqual(Array(8).fill(String(amountMinor)))
  expect(await receiptsOf([...inFlight, ...since])).toEqual(
    book.map(({ receipt }) => receipt).sort(),
  )
  expect(await refused()).toEqual([])
})

/** A payment that Airtel took, with its receipt. */
async function paidByAirtel(): Promise<{ readonly phone: string; readonly receipt: string }> {
  await around.control('POST', '/packs/none', {})
  const phone = await around.addPhone('approve', 0, '25675')
  const paid = await around.pay(phone, undefined, amountMinor)
  await areAll([paid], 'INTENT_STATUS_COMPLETED')
  const [receipt = ''] = await receiptsOf([paid])
  return { phone, receipt }
}

const becomesPaid = (refundId: string) =>
  eventually('the refund is paid', async () => {
    const { rows } = await around.database.pool.query<{ status: string }>(
      'SELECT status FROM refunds WHERE id = $1',
      [refundId],
    )
    return rows[0]?.status === 'paid'
  })

test('refunds a signed Airtel payment once, by the answer to the order', async () => {
  const { phone, receipt } = await paidByAirtel()
  await becomesPaid(await operators.refund(`airtel_money:${receipt}`))
  const book = (await around.control('GET', '/book')) as { kind: string; account: string }[]
  const reversals = book.filter(({ kind }) => kind === 'reversal')
  expect(reversals).toMatchObject([{ account: receipt, amount: String(amountMinor) }])
  expect(await around.control('GET', `/phones/${phone}`)).toMatchObject({ balance: '10000000' })
})

test('a refund is paid by the answer of Airtel although its call cannot be recorded', async () => {
  const { receipt } = await paidByAirtel()
  await around.database.pool.query(`
    CREATE FUNCTION refuse_call() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse_call BEFORE UPDATE ON refunds
      FOR EACH ROW WHEN (new.provider_request_id IS NOT NULL) EXECUTE FUNCTION refuse_call()`)
  await becomesPaid(await operators.refund(`airtel_money:${receipt}`))
  await around.database.pool.query('DROP FUNCTION refuse_call CASCADE')
})

test('the call of a refund is recorded although the answer of Airtel cannot be applied yet', async () => {
  const { receipt } = await paidByAirtel()
  await around.database.pool.query(`
    CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse_end BEFORE UPDATE ON refunds
      FOR EACH ROW WHEN (new.status = 'paid') EXECUTE FUNCTION refuse_end()`)
  const refundId = await operators.refund(`airtel_money:${receipt}`)
  await eventually('its call is recorded', async () => {
    const { rows } = await around.database.pool.query(
      'SELECT FROM refunds WHERE id = $1 AND provider_request_id IS NOT NULL',
      [refundId],
    )
    return rows.length === 1
  })
  await around.database.pool.query('DROP FUNCTION refuse_end CASCADE')
  await becomesPaid(refundId)
})

test('a refund is paid by the answer of Airtel that comes while the ledger is down', async () => {
  const { receipt } = await paidByAirtel()
  const delay = { on: 'refund', effect: { kind: 'delay', ms: 20_000 }, times: 1 }
  await around.control('POST', '/rules', delay)
  const refundId = await operators.refund(`airtel_money:${receipt}`)
  await eventually('the answer is on its way', async () => {
    const clock = await around.control('GET', '/clock')
    return JSON.stringify(clock).includes('the answer to refund')
  })
  await around.stopLedger()
  await jump(20_000)
  await eventually('Airtel answers', () =>
    logged.find((line) => line.includes(refundId) && line.includes('accepted')),
  )
  await around.startLedger()
  await becomesPaid(refundId)
})

test.each([
  ['MTN', '25677', 'SUCCESSFUL'],
  ['Airtel', '25675', 'TS'],
])(
  'completes a payment that %s reports as made without a receipt only once a query brings the receipt',
  async (_, prefix, code) => {
    await around.control('POST', '/packs/none', {})
    const phone = await around.addPhone('approve', 20_000, prefix)
    const rule = (on: string, effect: object) => around.control('POST', '/rules', { on, effect })
    const lie = (await rule('query', { kind: 'lie', code })) as { id: string }
    await rule('callback', { kind: 'drop' })
    const paid = await around.pay(phone, undefined, amountMinor)
    await eventually('the report counts', () => isReceiptWanted(paid))
    await around.control('DELETE', `/rules/${lie.id}`)
    await jump(20_000)
    await areAll([paid], 'INTENT_STATUS_COMPLETED')
    expect(await receiptsOf([paid])).toHaveLength(1)
  },
)

test('counts no unlisted code that anyone may have sent to the callback address of Airtel', async () => {
  await around.control('POST', '/packs/none', {})
  const phone = await around.addPhone('approve', 20_000, '25675')
  const paid = await around.pay(phone, undefined, amountMinor)
  await areAll([paid], 'INTENT_STATUS_PENDING')
  const before = await unlistedCodes()
  const { rows } = await around.database.pool.query<{ token: string }>(
    `SELECT replace(id, 'pi_', '') || callback_secret AS token FROM intents WHERE id = $1`,
    [paid.intentId],
  )
  const transaction = { id: paid.intentId.slice(3), status_code: 'ZZ1', message: '' }
  await around.sendCallback(rows[0]?.token ?? '', { transaction }, false)
  await eventually('the callback is applied', async () => {
    const { rowCount } = await around.database.pool.query(
      `SELECT FROM provider_messages WHERE intent_id = $1 AND kind = 'hint' AND fact = 'undecided'`,
      [paid.intentId],
    )
    return rowCount === 1
  })
  expect(await unlistedCodes()).toBe(before)
  await jump(20_000)
  await areAll([paid], 'INTENT_STATUS_COMPLETED')
})

test('counts a reason of MTN for a failed payment that has no row in our table, and a listed one not', async () => {
  const reported = async (reason: string) => {
    const phone = await around.addPhone('ask')
    const attempt = await around.pay(phone, undefined, amountMinor)
    await areAll([attempt], 'INTENT_STATUS_PENDING')
    const { rows } = await around.database.pool.query<{ token: string }>(
      `SELECT replace(id, 'pi_', '') || callback_secret AS token FROM intents WHERE id = $1`,
      [attempt.intentId],
    )
    const failed = { status: 'FAILED', amount: '5000', currency: 'UGX', reason }
    await around.sendCallback(rows[0]?.token ?? '', failed, false)
    await eventually('the callback is applied', async () => {
      const { rowCount } = await around.database.pool.query(
        `SELECT FROM provider_messages WHERE intent_id = $1 AND fact = 'declined'`,
        [attempt.intentId],
      )
      return rowCount === 1
    })
  }
  const before = await unlistedCodes()
  await reported('NOT_ENOUGH_FUNDS')
  expect(await unlistedCodes()).toBe(before)
  await reported('TRANSFER_TYPE_UNKNOWN')
  await eventually('it is counted', async () => (await unlistedCodes()) !== before)
})

async function unlistedCodes(): Promise<string | undefined> {
  const address = `http://127.0.0.1:${String(workers[0]?.ports['admin'])}/metrics`
  const text = await (await fetch(address)).text()
  return /name="provider_code_unknown"} (\d+)/.exec(text)?.[1]
}

async function isReceiptWanted({ intentId }: Attempt): Promise<boolean> {
  const { rowCount } = await around.database.pool.query(
    'SELECT FROM intents WHERE id = $1 AND receipt_wanted',
    [intentId],
  )
  return rowCount === 1
}

async function platformsOf(attempts: readonly Attempt[]): Promise<unknown[]> {
  const { rows } = await around.database.pool.query<{ platform: string | null }>(
    'SELECT platform FROM wire_attempts WHERE intent_id = ANY ($1)',
    [attempts.map(({ intentId }) => intentId)],
  )
  return rows.map(({ platform }) => platform)
}

async function receiptsOf(attempts: readonly Attempt[]): Promise<string[]> {
  const { rows } = await around.database.pool.query<{ receipt: string }>(
    `SELECT receipt FROM intents WHERE id = ANY ($1) AND disposition = 'merchant' ORDER BY receipt`,
    [attempts.map(({ intentId }) => intentId)],
  )
  return rows.map(({ receipt }) => receipt)
}

/** Calls that MTN rejected: a status query on the wrong platform is one. */
async function refused(): Promise<unknown[]> {
  const events = (await around.control('GET', '/events?limit=1000')) as { kind: string }[]
  return events.filter(({ kind }) => kind === 'request_refused')
}
