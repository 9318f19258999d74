import {
  EvidenceResult,
  type PayBillPaid,
  PayBillVerdict,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { hold } from '../locks.harness'
import { insist, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

// The payer types a handle as the account number of the Pay Bill menu. The caller of the ledger looks up its owner.

const at = ledgerOfFile({ payBillNumberKey })
const { pay } = at
const menu = payBill(at.ledger)
let accountId: string

beforeEach(async () => {
  accountId = await pay.merchant()
})

const handle = 'Mama-Mboga'
const payee = () => ({ accountId, handle })

async function placed(receipt: string): Promise<{ credit: string }[]> {
  const { rows } = await at.database.pool.query<{ credit: string }>(
    `SELECT t.credit, i.account_id, i.handle, i.rail, i.amount_minor, i.disposition FROM transfers t
     LEFT JOIN intents i ON i.receipt = $2 WHERE t.event_key = $1`,
    [`receipt:mpesa:${receipt}`, receipt],
  )
  return rows
}

test.each([100n, 12_345n, 15_000_000n])(
  'row 57: %s cents for a handle credit its wallet',
  async (amountMinor) => {
    const receipt = uniqueReceipt()
    const answer = await menu.paid({ accountNumber: handle, amountMinor, receipt, payee: payee() })
    expect(answer).toEqual({ result: EvidenceResult.SETTLED, status: 'INTENT_STATUS_COMPLETED' })
    expect(await placed(receipt)).toEqual([
      {
        credit: `wallet:${accountId}`,
        account_id: accountId,
        handle,
        rail: 'paybill',
        amount_minor: String(amountMinor),
        disposition: 'merchant',
      },
    ])
  },
)

test.each([99n, 15_000_001n])(
  'row 57: %s cents for a handle are outside the limits and are held',
  async (amountMinor) => {
    const receipt = uniqueReceipt()
    await menu.paid({ accountNumber: handle, amountMinor, receipt, payee: payee() })
    expect(await placed(receipt)).toMatchObject([
      { credit: 'suspense:mismatch', account_id: accountId, disposition: 'suspense_mismatch' },
    ])
  },
)

test('row 57: two payments of the same amount to one handle are both credited to the wallet', async () => {
  const receipts = [uniqueReceipt(), uniqueReceipt()]
  for (const receipt of receipts) {
    await menu.paid({ accountNumber: handle, amountMinor: 50_000n, receipt, payee: payee() })
    expect(await placed(receipt)).toMatchObject([{ credit: `wallet:${accountId}` }])
  }
})

test('row 57: money for a handle without an owner is held in suspense', async () => {
  const receipt = uniqueReceipt()
  await menu.paid({ accountNumber: handle, amountMinor: 50_000n, receipt })
  expect(await placed(receipt)).toMatchObject([{ credit: 'suspense:unmatched', handle: null }])
})

test('money for a handle whose owner has no wallet in this country is held in suspense', async () => {
  const receipt = uniqueReceipt()
  const abroad = { accountId: 'acc_uganda', handle }
  await menu.paid({ accountNumber: handle, amountMinor: 50_000n, receipt, payee: abroad })
  expect(await placed(receipt)).toMatchObject([{ credit: 'suspense:unmatched', handle: null }])
})

test('row 47: money for a frozen wallet is held in suspense, with the account it was meant for', async () => {
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
  const receipt = uniqueReceipt()
  await menu.paid({ accountNumber: handle, amountMinor: 50_000n, receipt, payee: payee() })
  expect(await placed(receipt)).toMatchObject([
    { credit: 'suspense:unmatched', account_id: accountId },
  ])
})

test('a Pay Bill number of a checkout credits the wallet of the checkout, also when it is looked up as a handle', async () => {
  const merchant = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId: merchant })
  const accountNumber = await menu.number(checkoutId)
  const receipt = uniqueReceipt()
  await menu.paid({ accountNumber, amountMinor: 50_000n, receipt, payee: payee() })
  expect(await placed(receipt)).toMatchObject([{ credit: `wallet:${merchant}` }])
})

test('row 29: a prompt to a handle that is reported as a Pay Bill payment settles its attempt, once', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  const { rows } = await at.database.pool.query<{ reference: string }>(
    'SELECT attempt_reference AS reference FROM intents WHERE id = $1',
    [attempt.intentId],
  )
  const payment = { accountNumber: rows[0]?.reference ?? '', amountMinor: 50_000n }
  const receipt = uniqueReceipt()
  await menu.paid({ ...payment, receipt })
  expect((await pay.paid(attempt, { receipt })).result).toBe(EvidenceResult.ALREADY_SETTLED)
  expect(await placed(receipt)).toMatchObject([{ credit: `wallet:${accountId}`, rail: 'mpesa' }])
  const typedAgain = uniqueReceipt()
  await menu.paid({ ...payment, receipt: typedAgain })
  expect(await placed(typedAgain)).toMatchObject([{ credit: 'suspense:duplicate' }])
})

describe('a payment to a handle that cannot be looked up at the moment', () => {
  const amountMinor = 50_000n
  const wanted = async () => {
    const { due } = await at.ledger.claimDue({ limit: 100 })
    return due.flatMap(({ work }) => (work?.$case === 'readMessageId' ? [work.value] : []))
  }
  /** A payment that was posted before its payee was known, and a way to apply it again with the payee. */
  const posted = async (minor = amountMinor) => {
    const receipt = uniqueReceipt()
    const messageId = await menu.store(receipt)
    const payment = { accountNumber: handle, amountMinor: minor, receipt }
    const { thirdPartyId } = await at.ledger.checkPayBill(payment)
    const apply = (changes: Partial<PayBillPaid>) => {
      const value = { ...payment, thirdPartyId, payeeUnknown: true }
      const fact = { $case: 'payBillPaid', value: { ...value, ...changes } } as const
      return at.ledger.applyEvidence({ messageId, fact })
    }
    expect((await apply({})).result).toBe(EvidenceResult.SETTLED)
    return { receipt, messageId, apply }
  }
  const creditsOf = async (receipt: string) => {
    const { rows } = await at.database.pool.query<{ credit: string }>(
      "SELECT credit FROM transfers WHERE event_key LIKE '%:' || $1 ORDER BY created_at",
      [receipt],
    )
    return rows.map(({ credit }) => credit)
  }

  test('row 57: is posted to suspense at once, and its message is handed out again until the lookup succeeds', async () => {
    const { receipt, messageId, apply } = await posted()
    expect(await creditsOf(receipt)).toEqual(['suspense:unmatched'])
    expect(await wanted()).toContain(messageId)
    expect(await wanted()).not.toContain(messageId)
    await letPass(at.database, 10)
    expect(await wanted()).toContain(messageId)
    expect((await at.ledger.readProviderMessage({ messageId })).applied).toBe(false)
    await apply({})
    expect(await creditsOf(receipt)).toEqual(['suspense:unmatched'])
  })

  test('row 57: is credited to the owner of the handle, once, when the lookup succeeds', async () => {
    const { receipt, messageId, apply } = await posted()
    const known = { payee: payee(), payeeUnknown: false }
    await Promise.all(Array.from({ length: 10 }, () => insist(() => apply(known))))
    expect(await creditsOf(receipt)).toEqual(['suspense:unmatched', `wallet:${accountId}`])
    expect(await placed(receipt)).toMatchObject([{ account_id: accountId, handle }])
    expect((await at.ledger.readProviderMessage({ messageId })).applied).toBe(true)
    await letPass(at.database, 10)
    expect(await wanted()).not.toContain(messageId)
  })

  test('stays in suspense for an operator when the handle has no owner or the amount is outside the limits', async () => {
    const ownerless = await posted()
    await ownerless.apply({ payeeUnknown: false })
    const tooMuch = await posted(15_000_001n)
    await tooMuch.apply({ payee: payee(), payeeUnknown: false })
    for (const { receipt, messageId } of [ownerless, tooMuch]) {
      expect(await creditsOf(receipt)).toEqual(['suspense:unmatched'])
      expect((await at.ledger.readProviderMessage({ messageId })).applied).toBe(true)
    }
  })

  test('waits for no lookup when the account number is that of a checkout', async () => {
    const { checkoutId } = await pay.checkout({ accountId })
    const payment = {
      accountNumber: await menu.number(checkoutId),
      amountMinor,
      payeeUnknown: true,
    }
    await menu.paid({ ...payment, receipt: uniqueReceipt() })
    const second = uniqueReceipt()
    await menu.paid({ ...payment, receipt: second })
    expect(await creditsOf(second)).toEqual(['suspense:duplicate'])
    expect(await wanted()).toEqual([])
  })
})

describe('the validation before the money moves', () => {
  const check = (accountNumber: string, amountMinor: bigint, owner = accountId) =>
    at.ledger
      .checkPayBill({
        accountNumber,
        amountMinor,
        receipt: uniqueReceipt(),
        payee: { accountId: owner, handle },
      })
      .then(({ verdict }) => verdict)

  test('row 57: accepts any amount within the limits for a handle, and refuses the others', async () => {
    expect(await check(handle, 100n)).toBe(PayBillVerdict.ACCEPTED)
    expect(await check(handle, 15_000_000n)).toBe(PayBillVerdict.ACCEPTED)
    expect(await check(handle, 99n)).toBe(PayBillVerdict.WRONG_AMOUNT)
    expect(await check(handle, 15_000_001n)).toBe(PayBillVerdict.WRONG_AMOUNT)
  })

  test('row 57: accepts a handle that begins with "cs" as Pay Bill numbers do', async () => {
    expect(await check('cshop', 100n)).toBe(PayBillVerdict.ACCEPTED)
  })

  test('refuses a handle whose owner has no wallet in this country as unknown', async () => {
    expect(await check(handle, 100n, 'acc_uganda')).toBe(PayBillVerdict.UNKNOWN_ACCOUNT)
  })
})

test('a second payment with the reference of a prompt to a handle is held while the first is posted', async () => {
  const attempt = await pay.pendingToHandle(accountId)
  const { rows } = await at.database.pool.query<{ reference: string }>(
    'SELECT attempt_reference AS reference FROM intents WHERE id = $1',
    [attempt.intentId],
  )
  const [first, second] = [uniqueReceipt(), uniqueReceipt()]
  const accountNumber = rows[0]?.reference ?? ''
  const held = await hold(at, 'intents', attempt.intentId)
  const applying = [
    pay.paid(attempt, { receipt: first }),
    menu.paid({ accountNumber, amountMinor: 50_000n, receipt: second }),
  ]
  await held.untilWaiting(2)
  await held.letGo()
  await Promise.all(applying)
  const credits = [...(await placed(first)), ...(await placed(second))].map(({ credit }) => credit)
  expect(credits.sort()).toEqual(['suspense:duplicate', `wallet:${accountId}`])
})
