import { FailureCause } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Page } from 'playwright-core'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import type { Language } from './texts/texts'

/** A screen of the payer pages, and how a browser comes to stand before it. */
export interface ShownScreen extends Way {
  readonly name: string
}

interface Way {
  /** Where the way begins; and ends, unless a button has to be pressed or time to pass. */
  readonly url: string
  /** Brings about what the screen tells of. Once, before anybody opens it. */
  prepare(): Promise<void>
  open(page: Page, language: Language): Promise<void>
}

export interface Screens {
  readonly screens: readonly ShownScreen[]
  stop(): Promise<void>
}

const causes = [
  'WRONG_PIN',
  'NO_FUNDS',
  'CANCELLED',
  'NO_ANSWER',
  'PROMPT_EXPIRED',
  'SESSION_OPEN',
  'BUSY',
  'OVER_LIMIT',
  'NOT_REGISTERED',
  'LOCKED',
  'REFUSED',
  'NOT_STARTED',
  'UNSPECIFIED',
] as const

/** Every screen, of real checkouts that the ledger has brought into the state that each shows. */
export async function openScreens(): Promise<Screens> {
  const ledger = { MPESA_WHOLE_SHILLINGS: 'true' }
  const paymentsUrls = { ke: undefined, ug: 'https://pay.ug.example' }
  const hosts = await Promise.all([
    startHost({ businessNumber: '174379', paymentsUrls }, undefined, ledger),
    startHost({ country: 'ug' }),
    startHost({ country: 'ug' }, []),
  ])
  const [kenya, uganda, dying] = hosts.map(openShop) as [Shop, Shop, Shop]
  return {
    screens: [
      ...(await payingScreens(kenya)),
      ...(await failedScreens(kenya)),
      ...(await endScreens(kenya)),
      ...(await refusedScreens(kenya)),
      ...(await handleScreens(kenya)),
      ...(await cardScreens(kenya)),
      { name: 'start-uganda', ...uganda.see(await uganda.order()) },
      { name: 'waiting-uganda', ...uganda.see(await uganda.prompted()) },
      ...(await brokenScreens(dying)),
    ],
    async stop() {
      await Promise.all(hosts.map((host) => host.stop()))
    },
  }
}

type Shop = ReturnType<typeof openShop>

function openShop(host: RunningHost) {
  const merchant = host.merchant({ displayName: 'Mama Njeri Groceries' })
  const shop = {
    host,
    async order(input: object = {}) {
      const fields = { amount: 150_000, description: 'Two bags of coffee, 500 g each', ...input }
      return (await host.checkout(await merchant, fields)).id
    },
    /** Sends a prompt for a checkout. Returns the token of its callback. */
    async prompt(id: string) {
      return host.ledger.submit((await host.startPayment(id)).intentId)
    },
    async prompted() {
      const id = await shop.order()
      await shop.prompt(id)
      return id
    },
    async failed(cause: (typeof causes)[number] | 'UNCONFIRMED', times = 1) {
      const id = await shop.order()
      for (let time = 0; time < times; time += 1) {
        await host.ledger.decline(await shop.prompt(id), cause)
      }
      return id
    },
    async paid(input: object) {
      const id = await shop.order(input)
      await host.ledger.pay(await shop.prompt(id), 150_000n)
      return id
    },
    /** Opens the page of a checkout as it would be some time from now. */
    see: (id: string, aheadMs = 0) => shop.visit(`/c/${id}`, aheadMs),
    visit(path: string, aheadMs = 0): Way {
      const url = host.url + path
      return {
        url,
        prepare() {
          host.time.aheadMs = aheadMs
          return Promise.resolve()
        },
        async open(page, language) {
          await page.goto(`${url}?lang=${language}`)
        },
      }
    },
    /** Opens the page, and presses its button. */
    press(id: string, phone: string, key?: string): Way {
      const { url, prepare, open } = shop.see(id)
      return {
        url,
        prepare,
        async open(page, language) {
          await open(page, language)
          if (key !== undefined)
            await page.evaluate(`document.querySelector('[name=key]').value = '${key}'`)
          await page.locator('[name=phone]').fill(phone)
          await pressPay(page)
        },
      }
    },
  }
  return shop
}

async function pressPay(page: Page): Promise<void> {
  await Promise.all([
    page.waitForEvent('domcontentloaded'),
    page.locator('[data-pay] .button').click(),
  ])
}

async function payingScreens(shop: Shop): Promise<ShownScreen[]> {
  const prompted = await shop.prompted()
  return [
    { name: 'start', ...shop.see(await shop.order()) },
    { name: 'start-phone-refused', ...shop.press(await shop.order(), '0712 345') },
    { name: 'waiting', ...shop.see(prompted) },
    { name: 'waiting-without-prompt', ...shop.see(prompted, 25_000) },
    { name: 'unconfirmed', ...shop.see(prompted, 121_000) },
    { name: 'unconfirmed-again', ...shop.see(await shop.failed('UNCONFIRMED')) },
  ]
}

async function failedScreens(shop: Shop): Promise<ShownScreen[]> {
  const ones = causes.map(async (cause) => ({
    name: `failed-${cause.toLowerCase().replace('_', '-')}`,
    ...shop.see(await shop.failed(cause)),
  }))
  const often = { name: 'failed-three-times', ...shop.see(await shop.failed('NO_ANSWER', 3)) }
  return [...(await Promise.all(ones)), often]
}

async function endScreens(shop: Shop): Promise<ShownScreen[]> {
  const expired = await shop.order()
  const expiredUnsure = await shop.failed('UNCONFIRMED')
  await shop.host.expire(expired)
  await shop.host.expire(expiredUnsure)
  return [
    {
      name: 'paid',
      ...shop.see(await shop.paid({ return_url: 'https://shop.example/thanks' })),
    },
    { name: 'paid-without-return', ...shop.see(await shop.paid({})) },
    { name: 'expired', ...shop.see(expired) },
    { name: 'expired-maybe-paid', ...shop.see(expiredUnsure) },
  ]
}

async function refusedScreens(shop: Shop): Promise<ShownScreen[]> {
  const phone = anyPhone()
  for (let prompt = 0; prompt < 5; prompt += 1) {
    await shop.host.startPayment(await shop.order(), phone)
  }
  return [
    { name: 'not-found', ...shop.see(`cs_ke_${'0'.repeat(24)}`) },
    { name: 'too-many', ...shop.press(await shop.order(), phone) },
    { name: 'wrong-request', ...shop.press(await shop.order(), phone, 'short') },
    { name: 'cents', ...shop.press(await shop.order({ amount: 150_050 }), anyPhone()) },
  ]
}

/** Of a host that takes no mobile money, then makes a mistake, then has lost its ledger. In this order. */
async function brokenScreens(shop: Shop): Promise<ShownScreen[]> {
  const id = await shop.order()
  return [
    { name: 'rail-off', ...shop.press(id, '0772 123 456') },
    {
      name: 'broken',
      ...shop.see(id),
      async prepare() {
        await shop.host.rows('ALTER VIEW checkout_views RENAME TO mislaid')
      },
    },
    { name: 'unavailable', ...shop.see(id), prepare: () => shop.host.lose('ledger') },
  ]
}

/** Of those who are paid without a checkout: the payer says how much. */
async function handleScreens({ host, visit }: Shop): Promise<ShownScreen[]> {
  const merchant = await host.merchant({ username: 'MamaNjeri' })
  const link = await host.link(merchant, { title: 'School fees, term 2', amountMinor: 250_000n })
  const abroad = await host.foreigner('ug', {
    username: 'NakatoCrafts',
    displayName: 'Nakato Crafts, Kampala',
  })
  const named = { username: 'OtienoPhones', displayName: 'Otieno Phones and Repairs' }
  const closed = await host.foreigner('ke', named)
  const handle = visit(`/p/${merchant.username}`)
  const prompted = async (phone = anyPhone()) => {
    const reply = await host.ask('/v1/payments/public/checkout', {
      headers: { 'idempotency-key': 'k'.repeat(8) + anyPhone() },
      body: { handle: merchant.username, amount: '150000', phone },
    })
    return String(reply.body.data.intent_id)
  }
  const failed = async (phone?: string) => {
    const intentId = await prompted(phone)
    await host.ledger.decline(await host.ledger.submit(intentId), 'NO_FUNDS')
    return intentId
  }
  const see = (intentId: string, aheadMs?: number) =>
    visit(`/p/${merchant.username}/${intentId}`, aheadMs)
  const [waiting, paid, phone] = [await prompted(), await prompted(), anyPhone()]
  await host.ledger.pay(await host.ledger.submit(paid), 150_000n)
  await failed(phone)
  await failed(phone)
  return [
    { name: 'handle', ...handle },
    { name: 'handle-link', ...visit(`/p/${link.handle}`) },
    { name: 'handle-abroad', ...visit(`/p/${abroad.username}`) },
    { name: 'handle-closed', ...visit(`/p/${closed.username}`) },
    { name: 'handle-not-found', ...visit('/p/nobody-is-called-so') },
    { name: 'handle-waiting', ...see(waiting) },
    { name: 'handle-unconfirmed', ...see(waiting, 121_000) },
    { name: 'handle-failed', ...see(await failed()) },
    { name: 'handle-failed-three-times', ...see(await failed(phone)) },
    { name: 'handle-paid', ...see(paid) },
    {
      name: 'handle-amount-refused',
      ...handle,
      async open(page, language) {
        await handle.open(page, language)
        await page.locator('[name=amount]').fill('0.50')
        await page.locator('[name=phone]').fill('0712 345 678')
        await pressPay(page)
      },
    },
  ]
}

/** Where a card is taken as well. */
async function cardScreens({ host, see }: Shop): Promise<ShownScreen[]> {
  const merchant = await host.merchant({ cardEnabled: true })
  const order = async () => {
    const fields = { amount: 150_000, description: 'Two bags of coffee, 500 g each' }
    return (await host.checkout(merchant, fields)).id
  }
  const opened = async () => {
    const id = await order()
    const headers = { 'idempotency-key': id }
    const path = `/v1/payments/public/checkouts/${id}/card`
    const { body } = await host.ask(path, { body: {}, headers })
    const intentId = String(body.data.intent_id)
    await host.ledger.openCardPage(intentId)
    return { id, intentId }
  }
  const declined = async (cause: 'CARD_DECLINED' | 'CANCELLED') => {
    const { id, intentId } = await opened()
    const fact = {
      $case: 'declined',
      value: { cause: FailureCause[cause], providerCode: 'DECLINED' },
    } as const
    // The payer comes back, which is a hint; then the gateway says so itself.
    await host.ask(`/c/${id}/card/${intentId}/return?resultIndicator=another`)
    const [{ id: messageId } = { id: '' }] = (await host.rows(
      `SELECT id FROM provider_messages WHERE intent_id = '${intentId}'`,
    )) as readonly { readonly id: string }[]
    await host.ledger.applyEvidence({ messageId, fact })
    await host.ledger.tellOfOrder(intentId, fact)
    return id
  }
  const waiting = await opened()
  return [
    { name: 'start-card', ...see(await order()) },
    { name: 'card-waiting', ...see(waiting.id) },
    { name: 'card-unconfirmed', ...see(waiting.id, 121_000) },
    { name: 'card-declined', ...see(await declined('CARD_DECLINED')) },
    { name: 'card-cancelled', ...see(await declined('CANCELLED')) },
  ]
}
