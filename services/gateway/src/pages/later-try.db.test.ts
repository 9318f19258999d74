import { ofFile } from '@malipo/testing/lazily'
import { anyPhone, startHost } from '../start.harness'

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant())

/** A prompt for the handle. Returns the path of its page and the token of its callback. */
async function prompt(phone: string) {
  const { body } = await host.ask('/v1/payments/public/checkout', {
    headers: { 'idempotency-key': `k${anyPhone()}` },
    body: { handle: merchant.username, amount: '20000', phone },
  })
  const intentId = String(body.data.intent_id)
  const path = `/p/${merchant.username}/${intentId}`
  return { intentId, path, token: await host.ledger.submit(intentId) }
}

async function failedTry(phone: string) {
  const tried = await prompt(phone)
  await host.ledger.decline(tried.token, 'NO_FUNDS')
  return tried
}

/** What a browser and the page's script get for the page of a try. */
async function shownAt(path: string) {
  const { status, headers, text } = await host.ask(path)
  const { screen, intent_id: intentId } = (await host.ask(`${path}/state`)).body.data
  const shown = headers['location'] ?? /data-screen="(\w+)"/.exec(text)?.[1]
  return [status, shown, screen, intentId]
}

test('the page of a failed try of a handle leads to the later try of its phone while it may be paid, and once it is paid', async () => {
  const phone = anyPhone()
  const [first, others] = [await failedTry(phone), await failedTry(anyPhone())]
  expect(await shownAt(first.path)).toEqual([200, 'failed', 'failed', first.intentId])
  const later = await prompt(phone)
  expect(await shownAt(first.path)).toEqual([303, later.path, 'waiting', later.intentId])
  await host.ledger.pay(later.token, 20_000n)
  expect(await shownAt(first.path)).toEqual([303, later.path, 'paid', later.intentId])
  expect(await shownAt(later.path)).toEqual([200, 'paid', 'paid', later.intentId])
  expect(await shownAt(others.path)).toEqual([200, 'failed', 'failed', others.intentId])
})

test('the page of a failed try shows it again when the later try has failed too', async () => {
  const phone = anyPhone()
  const first = await failedTry(phone)
  await failedTry(phone)
  expect(await shownAt(first.path)).toEqual([200, 'failed', 'failed', first.intentId])
})

test('the page of a failed try leads to a later one that only answers to queries call failed, as they have been wrong', async () => {
  const phone = anyPhone()
  const first = await failedTry(phone)
  const later = await prompt(phone)
  for (const seconds of [75, 15]) {
    await host.letPass(seconds)
    await host.ledger.reportDenial(later.intentId)
  }
  expect(await shownAt(first.path)).toEqual([303, later.path, 'failed', later.intentId])
})

test('the page of a paid try stays when its phone pays the handle again', async () => {
  const phone = anyPhone()
  const first = await prompt(phone)
  await host.ledger.pay(first.token, 20_000n)
  await prompt(phone)
  expect(await shownAt(first.path)).toEqual([200, 'paid', 'paid', first.intentId])
})
