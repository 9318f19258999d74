import {
  EvidenceResult,
  ProviderMessageKind,
  Rail,
  ReportPostingOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { openLedger, type TestLedger } from '../ledger.harness'
import { note, operators } from '../operators/operators.harness'
import { confirmed, fingerprint, present, unique, uniquePhone } from '../payments.harness'
import { letPass } from '../time.harness'

let at: TestLedger
beforeAll(async () => {
  at = await openLedger({ country: countries.ug, rails: ['mtn_momo', 'airtel_money'] })
  await operators(at).enroll()
})
afterAll(() => at.close())

const amountMinor = 500_000n

/** Applies an answer to our status query, and returns the result. */
async function answered(intentId: string, rail: Rail, receipt?: string) {
  const { messageId } = await at.ledger.storeProviderMessage({
    ...{ rail, kind: ProviderMessageKind.QUERY_ANSWER, body: Buffer.from('{}') },
    ...{ subject: { $case: 'intentId', value: intentId }, sourceAddress: '', sourceKnown: true },
  })
  const fact = confirmed({ amountMinor, ...(receipt !== undefined && { receipt }) })
  return (await at.ledger.applyEvidence({ messageId, fact })).result
}

async function prompted(rail: Rail) {
  const { checkoutId } = await at.pay.checkout({ amountMinor })
  const { intent } = await at.ledger.startIntent({
    ...{ checkoutId, idempotencyKey: unique('key-'), fingerprint, rail, phone: uniquePhone() },
  })
  return at.pay.prompted(intent)
}

async function differenceOf(provider: string) {
  const { rows } = await at.database.pool.query<{ day: string }>(
    `SELECT (now() AT TIME ZONE 'Africa/Nairobi')::date::text AS day`,
  )
  const { reports } = await at.ledger.reconcileDay({ day: present(rows[0]).day })
  return present(reports.find((one) => one.provider === provider)).differenceMinor
}

test.each([
  [Rail.MTN_MOMO, 'mtn_momo', '1735219084'],
  [Rail.AIRTEL_MONEY, 'airtel_money', 'MP261126.1425.L06941'],
])(
  'money that %s gave no receipt for is posted by two operators, and its day reconciles without a difference',
  async (...of) => {
    const [rail, provider, receipt] = of
    const { intentId } = await prompted(rail)
    expect(await answered(intentId, rail)).toBe(EvidenceResult.KEPT)
    await letPass(at.database, 660)
    const { amina, brian } = operators(at)
    const request = await amina.askReportPosting({ intentId, receipt, amount: 'UGX 5,000', note })
    const decision = { postingId: present(request.postingId), agreed: true, note }
    expect((await brian.decideReportPosting(decision)).outcome).toBe(ReportPostingOutcome.POSTED)
    expect(await differenceOf(provider)).toBe(0n)
    expect(await answered(intentId, rail, receipt)).toBe(EvidenceResult.ALREADY_SETTLED)
  },
)
