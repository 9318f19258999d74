import { ofTest } from '@malipo/testing/lazily'
import { amina, mpesa, openReceiver, startSimulator } from '../../start.harness'

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

const push = (fields: Record<string, unknown> = {}) =>
  sim.push({ CallBackURL: receiver.url, AccountReference: 'EXPORT1', ...fields })
const answer = (action: string) => sim.control('POST', `/phones/${amina}/prompt`, { action })
const rule = (on: string, effect: object) => sim.control('POST', '/rules', { on, effect })

/** Why a payment cannot be exported, because its file would not pass when run, and how to make such a payment. */
const payments: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'its push was not answered as accepted',
    async () => {
      await rule('push', { kind: 'error', error: 'system_busy', performed: true })
      await push()
    },
  ],
  [
    'the answer to its push was spoiled',
    async () => {
      await rule('push', { kind: 'malformed' })
      await push().catch(() => 'cut off')
    },
  ],
  [
    'the answer to its push was held for too long',
    async () => {
      await rule('push', { kind: 'delay', ms: 59_000 })
      const answered = push()
      await sim.control('POST', '/expect', { kind: 'prompt_opened' })
      await sim.jump(60_000)
      await answered
    },
  ],
  [
    'it has more than one push',
    async () => {
      await push()
      await answer('cancel')
      await push()
      await answer('approve')
    },
  ],
  ['its push pays another number, such as a till', () => push({ PartyB: '600000' })],
  ['it has not ended', () => push()],
  [
    'it has not ended',
    async () => {
      await rule('prompt', { kind: 'pay_bill', after_ms: 65_000 })
      await push()
      await answer('cancel')
    },
  ],
  [
    'another payment decided how it ended',
    async () => {
      await push({ AccountReference: 'EXPORT0' })
      await answer('approve')
      await push()
      await answer('approve')
    },
  ],
  [
    'registered addresses were called for it',
    async () => {
      const urls = { ConfirmationURL: receiver.url, ValidationURL: receiver.url }
      const wanted = { ShortCode: mpesa.shortCode, ResponseType: 'Completed', ...urls }
      const given = { token: await sim.token(), body: JSON.stringify(wanted) }
      await sim.wire('POST', '/mpesa/c2b/v1/registerurl', given)
      await rule('callback', { kind: 'echo' })
      await push()
      await answer('approve')
      await sim.control('POST', '/expect', { kind: 'callback_delivered', count: 2 })
    },
  ],
  [
    'its payer was paid back, or paid from the menu by hand',
    async () => {
      await push()
      await answer('cancel')
      const typed = { business_number: mpesa.shortCode, account_number: 'EXPORT1', amount: '100' }
      await sim.control('POST', `/phones/${amina}/paybill`, typed)
    },
  ],
  [
    'a rule that was applied to it was removed',
    async () => {
      const { body } = await rule('callback', { kind: 'drop' })
      await push()
      await answer('approve')
      await sim.control('DELETE', `/rules/${String(body.id)}`)
    },
  ],
]

test.each(payments)('no file of a payment is exported, because %s', async (why, make) => {
  await make()
  expect(await sim.wire('GET', '/sim/scenario?timeline=EXPORT1')).toMatchObject({
    status: 409,
    body: `No scenario file: ${why}`,
  })
  const { body: page } = await sim.wire('GET', '/sim/live?timeline=EXPORT1')
  expect(page).toContain(`No scenario file: ${why}`)
  expect(page).not.toContain('Export as scenario file')
})
