import { eventually } from '@malipo/testing/eventually'
import { ofFile } from '@malipo/testing/lazily'
import { rush } from '../limits/rush.harness'
import { startHost } from '../start.harness'
import { type Reply, send, type Sent } from '../send.harness'

const host = ofFile(() => startHost())

async function checkout(cardEnabled = true): Promise<string> {
  const shop = await host.merchant({ cardEnabled })
  return (await host.checkout(shop, { amount: 50_000 })).id
}

const keyOf = ({ text }: Reply) => /name="key" value="([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
const press = async (id: string, sent: Sent = {}) => {
  const key = keyOf(await host.ask(`/c/${id}`))
  return host.ask(`/c/${id}/card`, {
    body: `key=${key}`,
    ...sent,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...sent.headers },
  })
}
const screenOf = ({ text }: Reply) => /data-screen="(\w+)"/.exec(text)?.[1]

/** A card intent whose page is open. */
async function opened() {
  const id = await checkout()
  const { location = '' } = (await press(id)).headers
  const intentId = location.split('/').at(-1) ?? ''
  await host.ledger.openCardPage(intentId)
  return { id, intentId, path: location }
}

test('shows the fee and the total before the payer leaves the page', async () => {
  const page = await host.ask(`/c/${await checkout()}`)
  expect(page.text).toContain('A card fee of KES\u00a018.00 is added')
  expect(page.text).toContain('Pay KES\u00a0518.00 by card')
  expect(page.headers['content-security-policy']).toContain(
    "form-action 'self' https://cards.example",
  )
})

test('offers no card where the account takes none', async () => {
  expect((await host.ask(`/c/${await checkout(false)}`)).text).not.toContain('by card')
})

test("redirects the button to the gateway's page through our own address, each time", async () => {
  const { id, intentId, path } = await opened()
  expect(path).toBe(`/c/${id}/card/${intentId}`)
  for (let times = 0; times < 2; times += 1) {
    const led = await host.ask(path)
    expect([led.status, led.headers['location']]).toEqual([
      303,
      'https://cards.example/checkout/pay/SESSION0002?checkoutVersion=1.0.0',
    ])
  }
  const waiting = await host.ask(`/c/${id}`)
  expect([screenOf(waiting), waiting.text.includes(`href="${path}"`)]).toEqual(['waiting', true])
})

test('redirects to the payer page when the card page does not open in time; a second press finds the same intent', async () => {
  const id = await checkout()
  const key = keyOf(await host.ask(`/c/${id}`))
  const form = {
    body: `key=${key}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
  const first = await host.ask(`/c/${id}/card`, form)
  expect((await host.ask(`/c/${id}/card`, form)).headers['location']).toBe(
    first.headers['location'],
  )
  const led = await host.ask(first.headers['location'] ?? '')
  expect([led.status, led.headers['location']]).toEqual([303, `/c/${id}`])
})

test('leaves room for reads while payers wait for their card page', async () => {
  const id = await checkout()
  const { location = '' } = (await press(id)).headers
  const read = async () => (await send(`${host.url}/docs/openapi.json`)).status
  // As many as the reads that run at once. Half of them wait for their card page, and the others are answered.
  const waiting = await rush(host.url + location, 48)
  expect(await read()).toBe(200)
  await Promise.race(waiting)
  const release = await host.hold('LOCK TABLE card_sessions IN ACCESS EXCLUSIVE MODE')
  const stalled = await rush(host.url + location, 24)
  const status = await read()
  await release()
  expect(status).toBe(200)
  expect(new Set(await Promise.all([...waiting, ...stalled]))).toEqual(new Set(['303']))
})

test.each([
  ['paid', '?resultIndicator=indicator&sessionVersion=1', '{"returned":"paid"}'],
  ['declined', '?resultIndicator=another', '{"returned":"unpaid"}'],
  [
    'declined, with two indicators',
    '?resultIndicator=indicator&resultIndicator=x',
    '{"returned":"unpaid"}',
  ],
  ['cancelled', '?left=cancelled', '{"returned":"cancelled"}'],
  ['with nothing', '', '{"returned":"unpaid"}'],
])(
  'coming back %s proves nothing, is kept as a hint, and leads to the payer page',
  async (_, query, body) => {
    const { id, intentId, path } = await opened()
    const back = await host.ask(`${path}/return${query}`)
    expect([back.status, back.headers['location']]).toEqual([303, `/c/${id}`])
    expect(
      await host.rows(
        `SELECT kind, source_known, encode(body, 'escape') AS body FROM provider_messages WHERE intent_id = '${intentId}'`,
      ),
    ).toEqual([{ kind: 'hint', source_known: false, body }])
    expect(screenOf(await host.ask(`/c/${id}`))).toBe('waiting')
  },
)

test.each(['?left=cancelled', '?resultIndicator=another'])(
  'a return with %s ends no attempt: the page says until when the card page takes cards, and another card waits',
  async (query) => {
    const { id, intentId, path } = await opened()
    await host.ask(`${path}/return${query}`)
    const [{ message } = { message: '' }] = (await host.rows(
      `SELECT id AS message FROM provider_messages WHERE intent_id = '${intentId}'`,
    )) as { message: string }[]
    const value = { cause: 'FAILURE_CAUSE_CANCELLED', providerCode: 'RETURNED_CANCELLED' } as const
    await host.ledger.applyEvidence({
      messageId: message,
      fact: { $case: 'declined', value },
    })
    await host.ledger.reportOrder(intentId, {
      $case: 'notFound',
      value: { providerCode: 'ORDER_NOT_FOUND' },
    })
    await host.ledger.reportOrder(intentId, { $case: 'declined', value })
    const page = await host.ask(`/c/${id}`)
    expect(screenOf(page)).toBe('waiting')
    expect(page.text).toMatch(/The card page takes cards until \d\d:\d\d\. Finish there, or wait/)
    expect(page.text).toContain(`href="${path}"`)
    expect(page.text).not.toContain('No money was taken')
    const headers = { 'idempotency-key': `again-${id}` }
    const again = await host.ask(`/v1/payments/public/checkouts/${id}/card`, { body: {}, headers })
    expect([again.status, again.body.code]).toEqual([409, 2786])
    expect((await host.ask(path)).headers['location']).toContain('https://cards.example/')
  },
)

test('shows the cause of a declined card, and that no money was taken', async () => {
  const { id, intentId, path } = await opened()
  await host.ledger.declineOrder(intentId, 'CARD_DECLINED')
  const page = await host.ask(`/c/${id}`)
  expect(screenOf(page)).toBe('failed')
  expect(page.text).toContain('The card was declined')
  expect(page.text).toContain('No money was taken.')
  // The card page has closed: a payer who goes back to it is redirected to the payer page.
  expect((await host.ask(path)).headers['location']).toBe(`/c/${id}`)
})

test('a return with the right indicator is kept after the attempt has failed, and the page shows the payment as unconfirmed', async () => {
  const { id, intentId, path } = await opened()
  await host.ledger.declineOrder(intentId, 'CARD_DECLINED')
  const returns = async () =>
    (await host.rows(
      `SELECT id, encode(body, 'escape') AS body FROM provider_messages
       WHERE intent_id = '${intentId}' AND NOT source_known`,
    )) as { id: string; body: string }[]
  await host.ask(`${path}/return?resultIndicator=another`)
  expect(await returns()).toEqual([])
  const back = await host.ask(`${path}/return?resultIndicator=indicator`)
  expect([back.status, back.headers['location']]).toEqual([303, `/c/${id}`])
  const [stored] = await returns()
  expect(stored?.body).toBe('{"returned":"paid"}')
  await host.ledger.applyEvidence({
    messageId: stored?.id ?? '',
    fact: { $case: 'confirmed', value: {} },
  })
  const page = await host.ask(`/c/${id}`)
  expect(screenOf(page)).toBe('unconfirmed')
  expect(page.text).not.toContain('No money was taken')
})

test('shows no answer yet, and lets the payer pay again, when the card page closed while the bank was still asking', async () => {
  const { id, intentId } = await opened()
  const value = { providerCode: 'AUTHENTICATION_INITIATED' }
  await host.ledger.reportOrder(intentId, { $case: 'undecided', value })
  await host.rows(`UPDATE intents SET deadline_at = now() WHERE id = '${intentId}'`)
  const page = await eventually('the attempt has expired', async () => {
    const read = await host.ask(`/c/${id}`)
    return screenOf(read) === 'unconfirmed' && read
  })
  expect(page.text).toContain('We have no answer yet about your card.')
  expect(page.text).toContain('I did not pay by card')
  expect(page.text).not.toContain('No money was taken')
  expect(page.text).not.toContain('Go to the card page')
})

test('shows on a card receipt what was charged, and how much of it was the fee', async () => {
  const { id, intentId } = await opened()
  const value = { receipt: `${intentId}-1`, amountMinor: 51_800n }
  await host.ledger.reportOrder(intentId, { $case: 'confirmed', value })
  const { text } = await host.ask(`/c/${id}`)
  const values = [...text.matchAll(/<dt>(.+?)<\/dt>\s*<dd>(.+?)<\/dd>/g)].map((row) => row.slice(1))
  expect(values.slice(0, 3)).toEqual([
    ['Paid by card', 'KES\u00a0518.00'],
    ['Amount', 'KES\u00a0500.00'],
    ['Card fee', 'KES\u00a018.00'],
  ])
})

test('does not redirect to a closed card page, even while its result is unknown', async () => {
  const { id, intentId, path } = await opened()
  await host.rows(`
    ALTER TABLE card_sessions DISABLE TRIGGER USER;
    UPDATE card_sessions SET expires_at = now() - interval '1 second' WHERE intent_id = '${intentId}';
    ALTER TABLE card_sessions ENABLE TRIGGER USER`)
  const led = await host.ask(path)
  expect([led.status, led.headers['location']]).toEqual([303, `/c/${id}`])
  expect(screenOf(await host.ask(`/c/${id}`))).toBe('waiting')
})

test('refuses to open or to return from an intent of another checkout', async () => {
  const { intentId } = await opened()
  const other = await checkout()
  for (const path of ['', '/return?left=cancelled']) {
    expect((await host.ask(`/c/${other}/card/${intentId}${path}`)).status).toBe(404)
  }
})

test('refuses the button from another site', async () => {
  const id = await checkout()
  const forged = await press(id, { headers: { origin: 'https://evil.example' } })
  expect(forged.status).toBe(403)
})
