import { randomUUID } from 'node:crypto'
import { eventually } from '@malipo/testing/eventually'
import type { Effect } from '@malipo/testing/simulator-shapes'
import type { Browser } from 'playwright-core'
import type { Fixture } from './fixture'
import { ask } from './http'
import { journeyStack } from './journey-stack'
import type { Checkout } from './merchant'
import { openPayerPage, type PayerPage } from './payer-page'
import { tracesIn } from './traces'

const enrolled = '5123450000000008'
const notEnrolled = '5111111111111118'

/** The payer's data. The last test searches everything stored for it. */
const payer = { payer_name: 'Wanjiru Njoroge', payer_email: 'wanjiru@payer.example' }

describe('a card', () => {
  let fixture: Fixture
  let browser: Browser

  beforeAll(async () => {
    ;({ fixture, browser } = await journeyStack())
  })

  const orders: Checkout[] = []
  async function checkout(): Promise<Checkout> {
    const order = await fixture.merchant.createCheckout({ amount: 150_000, description: 'Mangoes' })
    orders.push(order)
    return order
  }

  /** Opens a browser for a payer, and goes from the payer page to the page of the card gateway. */
  async function atCardPage({ url }: Checkout, javaScriptEnabled = true): Promise<PayerPage> {
    const visitor = await openPayerPage(browser, { javaScriptEnabled })
    await visitor.open(url)
    await visitor.sees('A card fee of KES')
    await visitor.page.getByRole('button', { name: /by card/ }).click()
    await visitor.sees('Card number')
    return visitor
  }

  async function type({ page }: PayerPage, number: string, expiry = '01/39'): Promise<void> {
    const [month = '', year = ''] = expiry.split('/')
    await page.getByLabel('Card number').fill(number)
    await page.getByLabel('Month').fill(month)
    await page.getByLabel('Year').fill(year)
    await page.getByLabel('Security code').fill('100')
    await page.getByLabel('Name on the card').fill(payer.payer_name)
    await page.getByRole('button', { name: /^Pay/ }).click()
  }

  async function completed({ id }: Checkout): Promise<Checkout> {
    return eventually(
      'the merchant reads completed',
      async () => {
        const read = await fixture.merchant.readCheckout(id)
        return read.status === 'completed' ? read : undefined
      },
      60_000,
      500,
    )
  }

  /** Checks both transfers of a card payment, the amount and the fee, and the sum in the book of the card gateway. */
  async function bothLegsAre({ payment }: Checkout): Promise<void> {
    const receipt = payment?.provider_receipt ?? ''
    const legs = (await fixture.journal.transfers()).filter(
      ({ event_key }) => event_key === `receipt:card:${receipt}`,
    )
    expect(legs.map(({ debit, minor }) => [debit, minor])).toEqual([
      ['float:card', '150000'],
      ['float:card', '5300'],
    ])
    expect(legs[0]?.credit).toMatch(/^wallet:/)
    expect(legs[1]?.credit).toBe('fee:card')
    const booked = (await fixture.provider.book()).filter((row) => row.receipt === receipt)
    expect(booked).toMatchObject([{ provider: 'card', amount: '155300' }])
  }

  /** Adds a rule of the simulator for the callbacks of one order alone. */
  const onCallback = (account: string, effect: Effect) =>
    fixture.provider.addRule({ on: 'callback', when: { account }, effect })

  /** Resolves once the card gateway has answered `times` queries about an order with "not found". */
  const isFoundNowhere = (intentId: string, times: number) =>
    eventually(
      'the gateway finds no order',
      async () => {
        const events = await fixture.provider.events()
        const ours = events.filter(({ facts }) => String(facts['why']).includes(`'${intentId}'`))
        return ours.length >= times
      },
      60_000,
      250,
    )

  const start = (id: string, body: object = {}, key = randomUUID()) =>
    ask<{ data: { intent_id: string; session_id: string; redirect_url: string }; code?: number }>(
      `${fixture.stack.file.hosts.ke.base_url}/v1/payments/public/checkouts/${id}/card`,
      { method: 'POST', body, headers: { 'idempotency-key': key } },
    )

  const hosted = (path: string, form: Record<string, string>) =>
    fetch(fixture.stack.file.simulator.url + path, {
      ...{ method: 'POST', redirect: 'manual' },
      body: new URLSearchParams(form),
    })
  const typed = (number: string, expiry = '01/39') => {
    const [month = '', year = ''] = expiry.split('/')
    return { number, month, year, csc: '100', name: payer.payer_name }
  }

  test.each([
    ['with JavaScript', true],
    ['without', false],
  ])(
    'pays through 3-D Secure in a browser %s: the merchant gets the amount, and we get the fee',
    async (_, script) => {
      const order = await checkout()
      const visitor = await atCardPage(order, script)
      await type(visitor, enrolled)
      await visitor.sees('Is this you?')
      await visitor.page.getByRole('button', { name: 'Yes, it is me' }).click()
      await visitor.sees('Paid to')
      expect(new URL(visitor.page.url()).pathname).toBe(`/c/${order.id}`)
      const read = await completed(order)
      expect(read.payment).toMatchObject({ status: 'completed', amount_settled: '150000' })
      await bothLegsAre(read)
      await visitor.close()
    },
  )

  test('declined: the payer returns, reads how long the card page stays open, and pays there with another card', async () => {
    const order = await checkout()
    const visitor = await atCardPage(order)
    await type(visitor, notEnrolled, '05/39')
    await visitor.sees('Your payment was not taken (DECLINED)')
    await visitor.page.getByRole('link', { name: /Back to/ }).click()
    await visitor.sees('Finish on the card page')
    await visitor.sees(/The card page takes cards until \d\d:\d\d/)
    await visitor.page.getByRole('link', { name: 'Go to the card page' }).click()
    await visitor.sees('Card number')
    await type(visitor, notEnrolled)
    await visitor.sees('Paid to')
    await bothLegsAre(await completed(order))
    await visitor.close()
  })

  test('row 96: a payer who cancels cannot pay in another way while the card page is open, so that he pays once', async () => {
    const order = await checkout()
    const visitor = await atCardPage(order)
    const cardPage = visitor.page.url()
    await visitor.page.getByRole('link', { name: 'Cancel' }).click()
    await visitor.sees('Finish on the card page')
    const attempt = (await fixture.merchant.readCheckout(order.id)).payment?.intent_id ?? ''
    await isFoundNowhere(attempt, 2)
    const phone = await fixture
      .newPayer()
      .pay(order.id, await fixture.simulator.addPhone('approve'))
    expect(phone).toMatchObject({ status: 200, body: { data: { intent_id: attempt } } })
    expect(await start(order.id)).toMatchObject({ status: 409, body: { code: 2786 } })
    await visitor.sees('Finish on the card page')
    await visitor.open(cardPage)
    await type(visitor, notEnrolled)
    await visitor.sees('Paid to')
    await bothLegsAre(await completed(order))
    await visitor.close()
  })

  test('row 96: a payment without a return or a notification is found by a status query within a minute', async () => {
    const order = await checkout()
    const { body } = await start(order.id, payer)
    await onCallback(body.data.intent_id, { kind: 'drop' })
    await hosted(`/checkout/pay/${body.data.session_id}`, typed(notEnrolled))
    const startedAtMs = performance.now()
    await bothLegsAre(await completed(order))
    expect(performance.now() - startedAtMs).toBeLessThan(60_000)
  })

  test('a payment is posted once when its notification comes three times, or with a wrong secret', async () => {
    const [doubled, forged] = [await checkout(), await checkout()]
    const rules = [
      [doubled, { kind: 'duplicate', copies: 3 }],
      [forged, { kind: 'wrong_secret' }],
    ] as const
    for (const [order, effect] of rules) {
      const { body } = await start(order.id)
      await onCallback(body.data.intent_id, effect)
      await hosted(`/checkout/pay/${body.data.session_id}`, typed(enrolled))
      await hosted(`/checkout/3ds/${body.data.session_id}`, { answer: 'yes' })
      await bothLegsAre(await completed(order))
    }
  })

  test('row 96: while a card attempt is open, a prompt returns that attempt (200) and a second card is refused (2786)', async () => {
    const order = await checkout()
    const { body } = await start(order.id)
    const phone = await fixture
      .newPayer()
      .pay(order.id, await fixture.simulator.addPhone('approve'))
    expect(phone).toMatchObject({ status: 200 })
    expect(await start(order.id)).toMatchObject({ status: 409, body: { code: 2786 } })
    const visitor = await openPayerPage(browser)
    await visitor.open(order.url)
    await visitor.sees('Finish on the card page')
    expect(await visitor.wrongWith()).toEqual([])
    await visitor.page.getByRole('link', { name: 'Go to the card page' }).click()
    await visitor.sees('Card number')
    await hosted(`/checkout/pay/${body.data.session_id}`, typed(notEnrolled))
    await bothLegsAre(await completed(order))
    await visitor.close()
  })

  // This test is last, because it searches what all other tests have left behind.
  test('no card number, and no name of a card payer, is in any database, queue, log or page of ours', async () => {
    const pages = orders.map(async ({ url }) => ({
      where: url,
      text: await (await fetch(url)).text(),
    }))
    const traces = [...(await tracesIn(fixture)), ...(await Promise.all(pages))]
    expect(traces.length).toBeGreaterThan(8 + orders.length)
    expect(orders.length).toBeGreaterThan(5)
    const found = traces.flatMap(({ where, text }) =>
      secretsOfPayers
        .filter((secret) => text.includes(secret))
        .map((secret) => `${where}: ${secret}`),
    )
    expect(found).toEqual([])
    // Shows that the search works: it finds the orders.
    expect(
      traces.some(({ text }) => text.includes('ORDER_NOT_FOUND') || text.includes('CAPTURED')),
    ).toBe(true)
  })
})

const secretsOfPayers = [
  ...[enrolled, notEnrolled, enrolled.slice(0, 6), notEnrolled.slice(0, 12)],
  ...[payer.payer_name, payer.payer_name.toUpperCase(), payer.payer_email],
]
