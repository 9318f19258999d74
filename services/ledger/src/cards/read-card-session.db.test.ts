import { IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards } from './cards.harness'
import { ledgerOfFile } from '../ledger.harness'
import { present } from '../payments.harness'

const at = ledgerOfFile()
const card = cards(at)

test('returns no page until the card gateway has opened one, and then always the same page', async () => {
  const { checkoutId } = await card.checkout()
  const { intent } = await card.start(checkoutId)
  const { intentId } = present(intent)
  const read = () => at.ledger.readCardSession({ checkoutId, intentId })
  expect((await read()).session).toMatchObject({ totalMinor: 51_800n, opened: undefined })

  await at.ledger.beginSubmit({ intentId })
  await card.opened(intentId)
  const { intent: pending, session } = await read()
  expect(pending?.status).toBe(IntentStatus.PENDING)
  expect(session?.opened?.sessionId).toMatch(/^SESSION/)
  // A second worker reports another page, too late.
  await card.opened(intentId)
  expect((await read()).session).toEqual(session)
})

test('returns "not found" for an attempt of another checkout, for a prompt, and for an unknown id', async () => {
  const { intentId } = await card.open()
  const { checkoutId } = await card.checkout()
  const { intent } = await at.pay.start(checkoutId)
  const { intentId: prompt } = present(intent)
  for (const one of [intentId, prompt, 'pi_000000000000000000000000']) {
    await expect(at.ledger.readCardSession({ checkoutId, intentId: one })).rejects.toMatchObject({
      reason: 'intent_not_found',
    })
  }
})
