import { randomBytes } from 'node:crypto'
import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import { openSurroundings, type Surroundings } from '../start.harness'

const till = '832456'

let around: Surroundings
let worker: Started

beforeAll(async () => {
  around = await openSurroundings({ MPESA_TILL: till })
  worker = await around.startWorker({
    MPESA_TILL: till,
    // No server listens at the callback address, so only the statement shows a payment from the menu.
    C2B_PATH_SECRET: randomBytes(16).toString('hex'),
    PAY_BILL_SECONDS: '0.2',
  })
})

afterAll(async () => {
  await worker.stop()
  await around.stop()
})

test.each([
  ['with times in UTC', 'truth'],
  ['with times in the zone of Nairobi', 'nairobi'],
  ['with the digits of Nairobi and a Z', 'nairobi_as_utc'],
  ['with numbers without their calling code', 'national_numbers'],
])(
  'a payment to a till completes its checkout where the statement is written %s',
  async (_, code) => {
    const lie = { on: 'pull', effect: { kind: 'lie', code } }
    const rule = (await around.control('POST', '/rules', lie)) as { id: string }
    const phone = await around.addPhone('ask')
    const { checkoutId } = await around.pay(phone)
    const { receipt } = (await around.control('POST', `/phones/${phone}/buy-goods`, {
      till_number: till,
      amount: '50000',
    })) as { receipt: string }
    const paid = await eventually('the money is posted', async () => {
      const { rows } = await around.database.pool.query<object>(
        'SELECT checkout_id, disposition FROM intents WHERE receipt = $1',
        [receipt],
      )
      return rows[0]
    })
    expect(paid).toEqual({ checkout_id: checkoutId, disposition: 'merchant' })
    await around.control('DELETE', `/rules/${rule.id}`)
  },
)
