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
  const kenya = openShop(await startHost({ businessNumber: '174379' }, undefined, ledger))
  const uganda = openShop(await startHost({ country: 'ug' }))
  const withoutRails = openShop(await startHost({ country: 'ug' }, []))
  const withoutLedger = openShop(await startHost())
  const unreadable = await withoutLedger.order()
  await withoutLedger.host.lose('ledger')
  const shops = [kenya, uganda, withoutRails, withoutLedger]
  return {
    screens: [
      ...(await payingScreens(kenya)),
      ...(await failedScreens(kenya)),
      ...(await endScreens(kenya)),
      ...(await refusedScreens(kenya, withoutRails)),
      { name: 'unavailable', ...withoutLedger.see(unreadable) },
      { name: 'start-uganda', ...uganda.see(await uganda.order()) },
      { name: 'waiting-uganda', ...uganda.see(await uganda.prompted()) },
    ],
    async stop() {
      await Promise.all(shops.map(({ host }) => host.stop()))
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
    /** Opens the page as it would be some time from now. */
    see(id: string, aheadMs = 0): Way {
      const url = `${host.url}/c/${id}`
      return {
        url,
        async open(page, language) {
          host.time.aheadMs = aheadMs
          await page.goto(`${url}?lang=${language}`)
          host.time.aheadMs = 0
        },
      }
    },
    /** Opens the page, and presses its button. */
    press(id: string, phone: string, key?: string): Way {
      const { url, open } = shop.see(id)
      return {
        url,
        async open(page, language) {
          await open(page, language)
          if (key !== undefined)
            await page.evaluate(`document.querySelector('[name=key]').value = '${key}'`)
          await page.locator('[name=phone]').fill(phone)
          await Promise.all([
            page.waitForEvent('domcontentloaded'),
            page.locator('[data-pay] .button').click(),
          ])
        },
      }
    },
  }
  return shop
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

async function refusedScreens(shop: Shop, withoutRails: Shop): Promise<ShownScreen[]> {
  const phone = anyPhone()
  for (let prompt = 0; prompt < 5; prompt += 1) {
    await shop.host.startPayment(await shop.order(), phone)
  }
  return [
    { name: 'not-found', ...shop.see(`cs_ke_${'0'.repeat(24)}`) },
    { name: 'too-many', ...shop.press(await shop.order(), phone) },
    { name: 'wrong-request', ...shop.press(await shop.order(), phone, 'short') },
    { name: 'cents', ...shop.press(await shop.order({ amount: 150_050 }), anyPhone()) },
    { name: 'rail-off', ...withoutRails.press(await withoutRails.order(), '0772 123 456') },
  ]
}
