import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { openLedger, type TestLedger } from '../ledger.harness'
import { present } from '../payments.harness'
import { letPass } from '../time.harness'

let uganda: TestLedger

beforeAll(async () => {
  uganda = await openLedger({ country: countries.ug, rails: ['mtn_momo', 'airtel_money'] })
})

afterAll(() => uganda.close())

const phones = { [Rail.MTN_MOMO]: '256772123456', [Rail.AIRTEL_MONEY]: '256702123456' } as const
let phonesUsed = 0

/** An intent whose prompt was sent by a caller that sends MTN's prompts to `mtnMomoPlatform`. */
async function sent(rail: Rail.MTN_MOMO | Rail.AIRTEL_MONEY, mtnMomoPlatform?: string) {
  const { checkoutId } = await uganda.pay.checkout({ amountMinor: 500_000n })
  const phone = String(BigInt(phones[rail]) + BigInt((phonesUsed += 1)))
  const request = {
    checkoutId,
    idempotencyKey: 'key',
    fingerprint: Buffer.alloc(32, 7),
    rail,
    phone,
  }
  const { intentId } = present((await uganda.ledger.startIntent(request)).intent)
  present((await uganda.ledger.beginSubmit({ intentId, mtnMomoPlatform })).prompt)
  return intentId
}

test.each([
  ['new', Rail.MTN_MOMO, 'new'],
  ['legacy', Rail.MTN_MOMO, 'legacy'],
  // A worker of a release from before MTN's move to a new platform names no platform.
  [undefined, Rail.MTN_MOMO, undefined],
  ['new', Rail.AIRTEL_MONEY, undefined],
] as const)(
  'a prompt that a worker of the platform %s sent (rail %s) is queried on the platform %s by every worker',
  async (platform, rail, request) => {
    const intentId = await sent(rail, platform)
    await letPass(uganda.database, 180)
    const query = present((await uganda.ledger.beginQuery({ intentId })).query)
    expect(query.platform).toBe(request)
  },
)

test.each(['', 'New', '1st', 'n'.repeat(33)])('refuses the platform "%s"', async (platform) => {
  await expect(sent(Rail.MTN_MOMO, platform)).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'mtn_momo_platform' },
  })
})
