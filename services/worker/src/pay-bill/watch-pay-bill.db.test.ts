import { randomBytes } from 'node:crypto'
import { openLog } from '@malipo/runtime/log'
import { openRedis } from '@malipo/runtime/redis'
import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import { logged, openSurroundings, type Surroundings } from '../start.harness'

let around: Surroundings
let worker: Started

// No server listens at the callback address here: validations go unanswered and confirmations are lost.
const deaf = { C2B_PATH_SECRET: randomBytes(16).toString('hex'), PAY_BILL_SECONDS: '0.2' }

beforeAll(async () => {
  around = await openSurroundings()
  worker = await around.startWorker(deaf)
})

afterAll(async () => {
  await worker.stop()
  await around.stop()
})

/** Creates a checkout of KES 500.00, with a prompt that the payer ignores. */
async function order() {
  const phone = await around.addPhone('ask')
  const { checkoutId } = await around.pay(phone)
  const { rows } = await around.database.pool.query<{ number: string }>(
    'SELECT number FROM pay_bill_numbers WHERE checkout_id = $1',
    [checkoutId],
  )
  return { phone, checkoutId, account: rows[0]?.number }
}

const registered = () =>
  eventually('M-Pesa knows where to ask and tell', async () => {
    const events = (await around.control('GET', '/events?limit=1000')) as { kind: string }[]
    return events.some(({ kind }) => kind === 'urls_registered')
  })

async function paid(checkoutId: string): Promise<object | undefined> {
  const { rows } = await around.database.pool.query<object>(
    `SELECT rail, receipt, disposition FROM intents WHERE checkout_id = $1 AND rail = 'paybill'`,
    [checkoutId],
  )
  return rows[0]
}

test('the statement is read although M-Pesa refuses the callback URLs', async () => {
  await worker.stop()
  await around.control('POST', '/rules', { on: 'register', effect: { kind: 'reset' } })
  worker = await around.startWorker(deaf)
  const read = await eventually('the statement is read', async () => {
    const { rows } = await around.database.pool.query<object>('SELECT FROM statement_reads LIMIT 1')
    return rows[0]
  })
  expect(read).toBeDefined()
  await worker.stop()
  await around.control('POST', '/reset', {})
  worker = await around.startWorker(deaf)
})

test('a killed worker blocks the others from the statement for ten seconds at most', async () => {
  const redis = openRedis(testRedisUrl(), openLog('test', 'silent'))
  const key = `${String(around.workerVariables()['QUEUE_PREFIX'])}:statement-reader`
  const leftMs = await eventually('the lease is held', async () => {
    const left = await redis.pttl(key).catch(() => 0)
    return left > 0 ? left : undefined
  })
  redis.disconnect()
  expect(leftMs).toBeLessThanOrEqual(10_000)
})

test('row 62: a payment whose confirmation was lost is found in the statement', async () => {
  await registered()
  const { phone, checkoutId, account } = await order()
  const announced = around.announced(checkoutId)
  const { receipt } = (await around.control('POST', `/phones/${phone}/paybill`, {
    business_number: '174379',
    account_number: account,
    amount: '50000',
  })) as { receipt: string }
  const found = await eventually('the money is posted', () => paid(checkoutId))
  expect(found).toEqual({ rail: 'paybill', receipt, disposition: 'merchant' })
  await eventually('it is announced for the checkout', announced)
})

test('row 54: money without an owner is found in the statement, and held', async () => {
  const { phone } = await order()
  const { receipt } = (await around.control('POST', `/phones/${phone}/paybill`, {
    business_number: '174379',
    account_number: 'rent november',
    amount: '70000',
  })) as { receipt: string }
  const found = await eventually('the money is held', async () => {
    const { rows } = await around.database.pool.query<object>(
      'SELECT reason, minor FROM suspense_items WHERE event_key = $1',
      [`receipt:mpesa:${receipt}`],
    )
    return rows[0]
  })
  expect(found).toEqual({ reason: 'unmatched', minor: '70000' })
})

/** The account that the money of a payment is credited to. */
async function creditOf(receipt: string): Promise<string> {
  return eventually('the money is posted', async () => {
    const { rows } = await around.database.pool.query<{ credit: string }>(
      'SELECT credit FROM transfers WHERE event_key = $1',
      [`receipt:mpesa:${receipt}`],
    )
    return rows[0]?.credit
  })
}

/** Pays from the Pay Bill menu of a funded phone. */
async function payFromMenu(account: string, amount: string): Promise<string> {
  const phone = await around.addPhone('ask')
  const paid = (await around.control('POST', `/phones/${phone}/paybill`, {
    business_number: '174379',
    account_number: account,
    amount,
  })) as { receipt: string }
  return paid.receipt
}

test('row 57: a handle as the account number credits its owner, in any case', async () => {
  const { accountId, handle } = await around.accounts.add()
  for (const account of [handle, handle.toLowerCase(), ` ${handle.toUpperCase()} `]) {
    expect(await creditOf(await payFromMenu(account, '12300'))).toBe(`wallet:${accountId}`)
  }
})

test('row 57: money for a handle without its dash is held, because only the exact letters and dashes match', async () => {
  const { handle } = await around.accounts.add()
  expect(await creditOf(await payFromMenu(handle.replace('-', ''), '12300'))).toBe(
    'suspense:unmatched',
  )
})

test('money for the handle of an account in another country is held', async () => {
  const { handle } = await around.accounts.add('ug')
  expect(await creditOf(await payFromMenu(handle, '12300'))).toBe('suspense:unmatched')
})

test('row 57: money is held while its handle cannot be looked up, and then goes to its owner', async () => {
  const { accountId, handle } = await around.accounts.add()
  await around.accounts.leave()
  const receipt = await payFromMenu(handle, '45600')
  expect(await creditOf(receipt)).toBe('suspense:unmatched')
  await around.accounts.comeBack()
  const found = await eventually('the money is placed', async () => {
    const { rows } = await around.database.pool.query<object>(
      'SELECT credit, minor FROM transfers WHERE event_key = $1',
      [`placed:mpesa:${receipt}`],
    )
    return rows[0]
  })
  expect(found).toEqual({ credit: `wallet:${accountId}`, minor: '45600' })
})

test('a statement row that empties the till is posted nowhere, and the statement is read on', async () => {
  const emptying = { on: 'pull', effect: { kind: 'lie', code: 'till_emptied' } }
  const rule = (await around.control('POST', '/rules', emptying)) as { id: string }
  expect(await creditOf(await payFromMenu('rent', '10100'))).toBe('suspense:unmatched')
  const line = await eventually('it is left out', () =>
    logged.find((one) => one.includes('merchant-to-organization-settlement')),
  )
  const [{ receipt }] = JSON.parse(line) as [{ receipt: string }]
  const { pool } = around.database
  const { rows: reads } = await pool.query<{ until: Date }>(
    'SELECT max(until_at) AS until FROM statement_reads',
  )
  expect(await creditOf(await payFromMenu('rent', '10200'))).toBe('suspense:unmatched')
  await eventually('the statement is read on', async () => {
    const { rowCount } = await pool.query('SELECT FROM statement_reads WHERE until_at > $1', [
      reads[0]?.until,
    ])
    return (rowCount ?? 0) > 0
  })
  const { rows: found } = await pool.query<object>(
    `SELECT id FROM provider_messages WHERE position($1::bytea IN body) > 0
     UNION ALL SELECT event_key FROM transfers WHERE event_key LIKE '%' || $2
     UNION ALL SELECT receipt FROM statement_rows WHERE receipt = $2`,
    [Buffer.from(receipt), receipt],
  )
  expect(found).toEqual([])
  await around.control('DELETE', `/rules/${rule.id}`)
})
