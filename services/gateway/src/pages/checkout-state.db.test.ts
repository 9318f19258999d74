import { ofFile } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { anyPhone, startHost } from '../start.harness'

const host = ofFile(() => startHost({ businessNumber: '174379' }))
const merchant = ofFile(() => host.merchant())

const screenOf = (page: string) => /data-screen="(\w+)"/.exec(page)?.[1]

async function submitted(id: string, phone = anyPhone()) {
  const { intentId } = await host.startPayment(id, phone)
  return { intentId, token: await host.ledger.submit(intentId) }
}

test('returns the screen that it would show to the page’s script, and why an intent failed', async () => {
  const { id } = await host.checkout(merchant, { amount: 50_000 })
  const state = async () => (await host.ask(`/c/${id}/state`)).body.data
  const nothing = { intent_id: null, cause: null, no_money_taken: false }
  expect(await state()).toEqual({ status: 'open', screen: 'start', ...nothing })

  const first = (await host.startPayment(id)).intentId
  const waiting = { status: 'open', screen: 'waiting', cause: null, no_money_taken: false }
  expect(await state()).toEqual({ ...waiting, intent_id: first })

  await host.ledger.decline(await host.ledger.submit(first), 'WRONG_PIN')
  expect(await state()).toEqual({
    status: 'open',
    screen: 'failed',
    intent_id: first,
    cause: 'wrong_pin',
    no_money_taken: true,
  })

  const second = (await host.startPayment(id)).intentId
  await host.ledger.pay(await host.ledger.submit(second), 50_000n)
  expect(await state()).toMatchObject({
    status: 'completed',
    screen: 'paid',
    no_money_taken: false,
  })
})

test.each([
  ['cs_ke_000000000000000000000000', 404, 2783],
  ['nonsense', 400, 1701],
])('returns %i %i for %s', async (id, status, code) => {
  const reply = await host.ask(`/c/${id}/state`)
  expect([reply.status, reply.body.code]).toEqual([status, code])
})

test('shows the account number beside the amount, as the phone does', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const { intentId } = await submitted(id)
  const [row] = await host.rows(`SELECT attempt_reference FROM intents WHERE id = '${intentId}'`)
  const { attempt_reference: account } = row as { attempt_reference: string }
  expect(account).toMatch(/^M[0-9A-Z]{11}$/)
  expect((await host.ask(`/c/${id}`)).text).toContain(
    `Check that it asks for KES\u00a01,500.00 and says ${account}.`,
  )
})

test('shows its own screen for a push without an answer, until the provider answers', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const { intentId } = await host.startPayment(id)
  const state = async () => (await host.ask(`/c/${id}/state`)).body.data
  const token = await host.ledger.submitInVain(intentId)
  expect(await state()).toMatchObject({ screen: 'unanswered', intent_id: intentId })
  await host.ledger.decline(token, 'CANCELLED')
  expect(await state()).toMatchObject({ screen: 'failed', cause: 'cancelled' })
})

test('shows that a prompt is queued behind another one on the phone, until when it waits, and that it may not be sent', async () => {
  const phone = anyPhone()
  const earlier = await submitted((await host.checkout(merchant, { amount: 150_000 })).id, phone)
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const { intentId } = await host.startPayment(id, phone)
  expect(screenOf((await host.ask(`/c/${id}`)).text)).toBe('waiting')
  await host.ledger.beginSubmit({ intentId })
  const { text } = await host.ask(`/c/${id}`)
  expect(screenOf(text)).toBe('queued')
  expect(text).toContain(
    `Another payment request came first on the phone ending in ${phone.slice(-3)}.`,
  )
  expect(text).toMatch(
    /We wait until \d\d:\d\d at the latest\. If the phone is not free in time, yours is not sent/,
  )
  expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="5"/)
  await host.ledger.decline(earlier.token, 'CANCELLED')
  await host.ledger.submit(intentId)
  expect(screenOf((await host.ask(`/c/${id}`)).text)).toBe('waiting')
})

test('attributes a failure that only status queries report to the provider, and does not say that no money was taken', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const { intentId } = await submitted(id)
  for (const seconds of [75, 15]) {
    await host.letPass(seconds)
    await host.ledger.reportDenial(intentId)
  }
  const { text } = await host.ask(`/c/${id}`)
  expect(screenOf(text)).toBe('failed')
  expect(text).toContain('M-PESA says that no money was taken. If a message on your phone says')
  expect(text).not.toContain('No money was taken.')
  const { body } = await host.ask(`/c/${id}/state`)
  expect(body.data).toMatchObject({ screen: 'failed', no_money_taken: false })
  // The statement later shows the payment.
  await host.ledger.reportRow(intentId, 150_000n)
  expect(screenOf((await host.ask(`/c/${id}`)).text)).toBe('paid')
})

test.each([
  ['en', 'If you have paid from the M-PESA menu, do not pay again', 'no longer be paid'],
  ['sw', 'Ikiwa umelipa kupitia menyu ya M-PESA, usilipe tena', 'kulipiwa tena'],
  ['lg', 'wasasulidde mu menyu ya M-PESA, toddamu kusasula', 'Terukyasobola'],
])(
  'an expired page does not say that no payment from the menu can come: %s',
  async (language, warning, denial) => {
    const { id } = await host.checkout(merchant, { amount: 150_000, phone: anyPhone() })
    await host.expire(id)
    const { text } = await host.ask(`/c/${id}?lang=${language}`)
    expect(screenOf(text)).toBe('expired')
    expect(text).toContain(warning)
    expect(text).toMatch(new RegExp(`href="/c/${id}" data-menu`))
    expect(text).not.toContain(denial)
  },
)

test('an expired page knows of the menu of a till too, whose payments are found minutes later', async () => {
  const shop = await startHost({ till: '832456' })
  const { id } = await shop.checkout(await shop.merchant(), { amount: 150_000, phone: anyPhone() })
  await shop.expire(id)
  expect((await shop.ask(`/c/${id}`)).text).toContain('If you have paid from the M-PESA menu')
  await shop.stop()
})

test('beside a till, no page of a push without an answer speaks of Pay Bill', async () => {
  const shop = await startHost({ till: '832456' })
  const { id } = await shop.checkout(await shop.merchant(), { amount: 150_000 })
  await shop.ledger.submitInVain((await shop.startPayment(id)).intentId)
  const languages = ['en', 'sw', 'lg']
  const pages = async () =>
    Promise.all(languages.map(async (lang) => (await shop.ask(`/c/${id}?lang=${lang}`)).text))
  const unanswered = await pages()
  await shop.letPass(151)
  const over = await eventually('the attempt has expired', async () => {
    const texts = await pages()
    return texts.every((text) => screenOf(text) === 'unconfirmed') && texts
  })
  for (const text of [...unanswered, ...over]) {
    expect(text).toContain('data-copy="832456"')
    expect(/<main[^]*<\/main>/.exec(text)?.[0]).not.toContain('Pay Bill')
  }
  await shop.stop()
})

test('shows why a queued prompt was not sent, that no money was taken, and offers the form again', async () => {
  const phone = anyPhone()
  const earlier = await host.startPayment(
    (await host.checkout(merchant, { amount: 150_000 })).id,
    phone,
  )
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const { intentId } = await host.startPayment(id, phone)
  await host.letPass(50)
  await host.ledger.submit(earlier.intentId)
  await host.ledger.beginSubmit({ intentId })
  await host.letPass(40)
  await host.ledger.beginSubmit({ intentId })
  const { text } = await host.ask(`/c/${id}`)
  expect(screenOf(text)).toBe('failed')
  expect(text).toContain('Another request was open on your phone')
  expect(text).toContain('So this one did not go through.')
  expect(text).toContain('No money was taken.')
  expect(text).toMatch(/<form[^>]*data-pay/)
})

test('offers a new prompt and Pay Bill after a push without an answer expired, and warns about the first prompt', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const { intentId } = await host.startPayment(id)
  await host.ledger.submitInVain(intentId)
  await host.letPass(151)
  const text = await eventually('the attempt has expired', async () => {
    const page = (await host.ask(`/c/${id}`)).text
    return screenOf(page) === 'unconfirmed' && page
  })
  expect(text).toContain('Then you can ask for a new prompt, or pay from the M-PESA menu.')
  expect(text).toMatch(/<form[^>]*data-pay/)
  expect(text).toContain('data-copy="174379"')
  expect(text).toContain('Pay once only: if the prompt still comes, cancel it.')
})

test.each([
  ['en', 'This merchant cannot take payments right now', 'do not pay again'],
  ['sw', 'Mfanyabiashara huyu hawezi kupokea malipo', 'usilipe tena'],
  ['lg', 'Omusuubuzi ono tasobola kufuna nsasula', 'toddamu kusasula'],
])(
  'a paid page whose merchant was frozen says that the payment is kept: %s',
  async (language, title, sentence) => {
    const closing = await host.merchant()
    const { id } = await host.checkout(closing, { amount: 150_000 })
    const { intentId } = await host.startPayment(id)
    await host.ledger.pay(await host.ledger.submit(intentId), 150_000n)
    await host.rows(
      `UPDATE wallets SET frozen_at = now() WHERE account_id = '${closing.accountId}'`,
    )
    const headers = {
      'accept-language': language,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = new URLSearchParams({ key: 'a'.repeat(32), phone: anyPhone() }).toString()
    for (const { status, text } of [
      await host.ask(`/c/${id}`, { headers }),
      await host.ask(`/c/${id}/pay`, { body, headers }),
    ]) {
      expect(status).toBe(404)
      expect(text).toContain(title)
      expect(text).toContain(sentence)
      expect(text).not.toContain('<form')
    }
  },
)
