import { FailureCause, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { fingerprint, present, unique, uniquePhone } from '../../../payments.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Starting intents and sending their prompts. */
export const prompts: Scenario = {
  name: 'prompts',
  async play(at) {
    await starting(at)
    await sending(at)
    await queueing(at)
    await limits(at)
  },
}

async function startedIntent({ pay }: Recording, phone = uniquePhone()): Promise<string> {
  const { checkoutId } = await pay.checkout()
  return present((await pay.start(checkoutId, { phone })).intent).intentId
}

async function starting(at: Recording): Promise<void> {
  const { ledger, pay, refused } = at
  const { checkoutId } = await pay.checkout()
  const request = { checkoutId, idempotencyKey: unique('key-'), fingerprint, phone: uniquePhone() }
  for (const rail of [Rail.MTN_MOMO, Rail.CARD, Rail.PAYBILL]) {
    await refused(ledger.startIntent({ ...request, rail }))
  }
  const start = { ...request, rail: Rail.UNSPECIFIED }
  const { intent } = await ledger.startIntent(start)
  await ledger.startIntent(start)
  await refused(ledger.startIntent({ ...start, fingerprint: Buffer.alloc(32, 8) }))
  await refused(ledger.startIntent({ ...start, fingerprint: Buffer.alloc(3) }))
  await refused(ledger.startIntent({ ...start, checkoutId: 'cs_ke_gone' }))
  const key = unique('key-')
  await pay.start(checkoutId, { key })
  const { intentId } = present(intent)
  await ledger.readIntent({ intentId })
  await refused(ledger.readIntent({ intentId: 'pi_gone' }))
  await ledger.readCheckout({ checkoutId })
  await pay.prompted(intent)
  await ledger.readCheckout({ checkoutId })
  await pay.start(checkoutId, { key })
}

async function sending(at: Recording): Promise<void> {
  const { ledger, pass, expired, refused } = at
  const accepted = { $case: 'accepted', value: { providerRequestId: unique('ws_CO_') } } as const
  const declined = {
    $case: 'refused',
    value: { cause: FailureCause.OVER_LIMIT, providerCode: '400.002.02' },
  } as const
  const notSent = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
  const unknown = { $case: 'unknown', value: { detail: 'http 500' } } as const
  for (const outcome of [accepted, declined, notSent, unknown]) {
    const intentId = await startedIntent(at)
    await refused(ledger.recordSubmit({ intentId: 'pi_gone', outcome }))
    await ledger.beginSubmit({ intentId })
    await ledger.beginSubmit({ intentId })
    await refused(ledger.recordSubmit({ intentId, outcome: undefined }))
    for (const again of [outcome, outcome, accepted, declined, notSent, unknown]) {
      await ledger.recordSubmit({ intentId, outcome: again })
    }
    await ledger.readIntent({ intentId })
  }
  await ledger.beginSubmit({ intentId: 'pi_gone' })
  const unsent = await startedIntent(at)
  await ledger.recordSubmit({ intentId: unsent, outcome: accepted }).catch(() => undefined)
  const late = await startedIntent(at)
  await pass(90)
  await expired(late)
  await ledger.beginSubmit({ intentId: late })
  await ledger.readIntent({ intentId: late })
}

/** One prompt at a time on a phone: the second waits for the first. */
async function queueing(at: Recording): Promise<void> {
  const { ledger, pay, pass } = at
  const phone = uniquePhone()
  const [first, second] = [await pay.checkout(), await pay.checkout()]
  const { intent } = await pay.start(first.checkoutId, { phone })
  const open = await pay.prompted(intent)
  const waiting = present((await pay.start(second.checkoutId, { phone })).intent).intentId
  await ledger.readCheckout({ checkoutId: second.checkoutId })
  await ledger.beginSubmit({ intentId: waiting })
  await pass(30)
  await ledger.claimDue({ limit: 10 })
  await ledger.beginSubmit({ intentId: waiting })
  await pay.declined(open)
  await pass(10)
  await ledger.claimDue({ limit: 10 })
  await ledger.beginSubmit({ intentId: waiting })
  await ledger.readCheckout({ checkoutId: second.checkoutId })
}

async function limits(at: Recording): Promise<void> {
  const { ledger, quiet, pay, pass, refused } = at
  const failed = async (intentId: string) => {
    await quiet.beginSubmit({ intentId })
    const outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
    await quiet.recordSubmit({ intentId, outcome })
  }
  const phone = uniquePhone()
  for (let prompt = 0; prompt < 5; prompt += 1) await failed(await startedIntent(at, phone))
  const { checkoutId } = await pay.checkout()
  await refused(pay.start(checkoutId, { phone }))
  for (let prompt = 0; prompt < 20; prompt += 1) {
    const request = { checkoutId, idempotencyKey: unique('key-'), fingerprint, rail: Rail.MPESA }
    const { intent } = await quiet.startIntent({ ...request, phone: uniquePhone() })
    await failed(present(intent).intentId)
  }
  await refused(pay.start(checkoutId))
  await ledger.readCheckout({ checkoutId })
  await pass(1_740)
  await refused(pay.start(checkoutId, { phone }))
}
