import { systemClock } from '@malipo/runtime/clock'
import { payByCard } from '../payer/pay-by-card.harness'
import { anyPhone, startHost } from '../start.harness'
import { openShop, sendPlainly, type Shop, type ShownScreen } from './shop.harness'

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
  'TOO_SOON',
  'BUSY',
  'OVER_LIMIT',
  'NOT_REGISTERED',
  'LOCKED',
  'REFUSED',
  'NOT_STARTED',
] as const

/** Every screen, shown from real checkouts that the ledger has brought into its state. */
export async function openScreens(): Promise<Screens> {
  // Intents on waiting screens begin in the future, so that they still wait when their screen is checked last.
  const patient = { INTENT_DEADLINE_SECONDS: '1700', QUERY_AFTER_SECONDS: '1600' }
  const ledger = { MPESA_WHOLE_SHILLINGS: 'true', ...patient }
  const paymentsUrls = { ke: undefined, ug: 'https://pay.ug.example' }
  const hosts = await Promise.all([
    startHost({ businessNumber: '174379', paymentsUrls }, undefined, ledger),
    startHost({ country: 'ug' }, ['mtn_momo'], patient),
  ])
  const [kenya, uganda] = hosts.map(openShop) as [Shop, Shop]
  // These screens are made first, because they let time pass in the ledger, which would age the others.
  const checked = await checkedScreens(kenya)
  const ringing = await uganda.prompted()
  return {
    screens: [
      ...checked,
      ...(await payingScreens(kenya)),
      ...(await failedScreens(kenya)),
      ...(await endScreens(kenya)),
      ...(await refusedScreens(kenya)),
      ...(await handleScreens(kenya)),
      ...(await cardScreens(kenya)),
      { name: 'start-uganda', ...uganda.see(await uganda.order()) },
      { name: 'waiting-uganda', ...uganda.watch(ringing) },
      { name: 'unconfirmed-uganda', ...uganda.watch(ringing, 200_000) },
      ...(await brokenScreens(uganda)),
    ],
    async stop() {
      await Promise.all(hosts.map((host) => host.stop()))
    },
  }
}

const longName = '<b>Wanjikũ&Sons</b> Kahawa na Chai 👩🏾‍🌾 Wholesale-and-Retail'
const longDescription = `${'Unbreakable'.repeat(9)} 🥑🥑 متجر القهوة "quoted" & 'quoted'`

async function payingScreens(shop: Shop): Promise<ShownScreen[]> {
  const prompted = await shop.prompted()
  const { host } = shop
  const wordy = await host.merchant({ displayName: longName })
  const costly = await host.checkout(wordy, { amount: 15_000_000, description: longDescription })
  return [
    { name: 'start', ...shop.see(await shop.order()) },
    { name: 'start-cents', ...shop.see((await host.checkout(wordy, { amount: 150_050 })).id) },
    { name: 'start-long-names', ...shop.see(costly.id) },
    { name: 'start-phone-refused', ...shop.press(await shop.order(), '0712 345') },
    { name: 'start-other-network', ...shop.press(await shop.order(), '0733 123 456') },
    { name: 'waiting', ...shop.watch(prompted) },
    { name: 'unanswered', ...shop.see(await shop.unanswered()) },
    { name: 'queued', ...shop.see(await shop.queued()) },
    { name: 'waiting-without-prompt', ...shop.watch(prompted, 25_000) },
    { name: 'reported', ...shop.see((await reported(shop)).id) },
    { name: 'unconfirmed', ...shop.watch(prompted, 121_000) },
    { name: 'unconfirmed-again', ...shop.see(await shop.failed('UNCONFIRMED')) },
    { name: 'unconfirmed-held', ...shop.see(await shop.paidShort()) },
  ]
}

/** A report that turned out false, and a prompt that only status queries report as unpaid. */
async function checkedScreens(shop: Shop): Promise<ShownScreen[]> {
  const { host } = shop
  const denied = await shop.order()
  const { intentId } = await host.startPayment(denied)
  await host.ledger.submit(intentId)
  for (const seconds of [75, 15]) {
    await host.letPass(seconds)
    await host.ledger.reportDenial(intentId)
  }
  const unpaid = await reported(shop)
  await host.letPass(660)
  await host.ledger.closeReport(unpaid.receipt)
  return [
    { name: 'failed-denied', ...shop.see(denied) },
    { name: 'start-report-closed', ...shop.see(unpaid.id) },
  ]
}

/** Twice the longest label that a host name may have: its end must stay readable. */
const longHost = `${'a'.repeat(63)}.${'b'.repeat(63)}.evil.example`

/** A payment from the menu that is not confirmed yet. */
async function reported({ host, order }: Shop): Promise<{ id: string; receipt: string }> {
  const id = await order()
  const { body } = await host.ask(`/v1/payments/public/checkouts/${id}`)
  const accountNumber = String(body.data.checkout.paybill.account_number)
  const paid = { accountNumber, amountMinor: 150_000n, isInStatement: false }
  return { id, receipt: await host.ledger.reportPayBill(paid) }
}

async function failedScreens(shop: Shop): Promise<ShownScreen[]> {
  const ones = causes.map(async (cause) => ({
    name: `failed-${cause.toLowerCase().replace('_', '-')}`,
    ...shop.see(await shop.failed(cause)),
  }))
  const often = { name: 'failed-three-times', ...shop.see(await shop.failed('NO_ANSWER', 3)) }
  const unsure = await shop.failed('UNCONFIRMED')
  await shop.decline(unsure, 'CANCELLED')
  const unsureBefore = { name: 'failed-after-unconfirmed', ...shop.see(unsure) }
  return [...(await Promise.all(ones)), often, unsureBefore]
}

async function endScreens(shop: Shop): Promise<ShownScreen[]> {
  const expired = await shop.order()
  const expiredUnsure = await shop.failed('UNCONFIRMED')
  const [paid, alone, returned] = [
    await shop.paid({ return_url: 'https://shop.example/thanks' }),
    await shop.paid({}),
    await shop.paid({ return_url: 'https://shop.example/thanks' }),
  ]
  const misleading = await shop.paid({
    return_url: `https://www.sаfaricom.co.ke.${longHost}/thanks`,
  })
  await shop.host.ledger.giveBack(returned.receipt)
  await shop.host.expire(expired)
  await shop.host.expire(expiredUnsure)
  return [
    { name: 'paid', ...shop.see(paid.id) },
    { name: 'paid-misleading-host', ...shop.see(misleading.id) },
    { name: 'paid-without-return', ...shop.see(alone.id) },
    { name: 'paid-returned', ...shop.see(returned.id) },
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
  ]
}

/** A host that rejects this network, then fails, then has lost its ledger, in this order. */
async function brokenScreens(shop: Shop): Promise<ShownScreen[]> {
  const id = await shop.order()
  return [
    { name: 'rail-off', ...shop.press(id, '0752 123 456') },
    {
      name: 'broken',
      ...shop.see(id),
      async prepare() {
        await shop.host.rows('ALTER TABLE pay_bill_numbers RENAME TO mislaid')
      },
    },
    {
      name: 'unavailable',
      ...shop.see(id),
      async prepare() {
        await shop.host.rows('ALTER TABLE mislaid RENAME TO pay_bill_numbers')
        await shop.host.lose('ledger')
      },
    },
  ]
}

/** Handle pages, where the payer enters the amount. */
async function handleScreens({ host, visit, watch }: Shop): Promise<ShownScreen[]> {
  const merchant = await host.merchant({ username: 'MamaNjeri' })
  const link = await host.link(merchant, { title: 'School fees, term 2', amountMinor: 250_000n })
  const abroad = await host.foreigner('ug', {
    username: 'NakatoCrafts',
    displayName: 'Nakato Crafts, Kampala',
  })
  const named = { username: 'OtienoPhones', displayName: 'Otieno Phones and Repairs' }
  const closed = await host.foreigner('ke', named)
  const handle = visit(`/p/${merchant.username}`)
  const press = (
    amount: string,
    phone: string,
    { to = merchant.username, key = '' } = {},
  ): typeof handle => ({
    ...handle,
    async open(page, language) {
      await handle.open(page, language)
      await page.evaluate(`document.querySelector('[data-pay]').action = '/p/${to}/pay'`)
      if (key !== '') await page.evaluate(`document.querySelector('[name=key]').value = '${key}'`)
      await page.locator('[name=amount]').fill(amount)
      await page.locator('[name=phone]').fill(phone)
      await sendPlainly(page)
    },
  })
  const usedKey = 'a'.repeat(32)
  const prompted = async (phone = anyPhone(), key = 'k'.repeat(8) + anyPhone()) => {
    const reply = await host.ask('/v1/payments/public/checkout', {
      headers: { 'idempotency-key': key },
      body: { handle: merchant.username, amount: '150000', phone },
    })
    return String(reply.body.data.intent_id)
  }
  const failed = async (phone?: string) => {
    const intentId = await prompted(phone)
    await host.ledger.decline(await host.ledger.submit(intentId), 'NO_FUNDS')
    return intentId
  }
  const pathOf = (intentId: string) => `/p/${merchant.username}/${intentId}`
  const see = (intentId: string) => visit(pathOf(intentId))
  const at = systemClock.now()
  const ringing = await prompted()
  await host.ledger.submit(ringing)
  const waiting = { at, path: pathOf(ringing) }
  const [paid, phone] = [await prompted(), anyPhone()]
  await host.ledger.pay(await host.ledger.submit(paid), 150_000n)
  await failed(phone)
  await failed(phone)
  await prompted(anyPhone(), usedKey)
  const busyPhone = anyPhone()
  for (let prompt = 0; prompt < 5; prompt += 1) await prompted(busyPhone)
  return [
    { name: 'handle', ...handle },
    { name: 'handle-link', ...visit(`/p/${link.handle}`) },
    { name: 'handle-abroad', ...visit(`/p/${abroad.username}`) },
    { name: 'handle-closed', ...visit(`/p/${closed.username}`) },
    { name: 'handle-not-found', ...visit('/p/unclaimed-handle') },
    { name: 'handle-waiting', ...watch(waiting) },
    { name: 'handle-unconfirmed', ...watch(waiting, 121_000) },
    { name: 'handle-failed', ...see(await failed()) },
    { name: 'handle-failed-three-times', ...see(await failed(phone)) },
    { name: 'handle-paid', ...see(paid) },
    { name: 'handle-amount-refused', ...press('0.50', '0712 345 678') },
    { name: 'handle-too-many', ...press('200', busyPhone) },
    { name: 'handle-changed', ...press('200', anyPhone(), { key: usedKey }) },
    { name: 'handle-closed-since', ...press('200', anyPhone(), { to: closed.username }) },
    { name: 'handle-link-closed-since', ...press('200', anyPhone(), { to: 'unclaimed-handle' }) },
  ]
}

/** Pages that also offer a card. */
async function cardScreens({ host, see, watch }: Shop): Promise<ShownScreen[]> {
  const merchant = await host.merchant({ cardEnabled: true })
  const order = async () => {
    const fields = { amount: 150_000, description: 'Two bags of coffee, 500 g each' }
    return (await host.checkout(merchant, fields)).id
  }
  const opened = async () => {
    const id = await order()
    return { id, intentId: await payByCard(host, id) }
  }
  const declined = async (cause: 'CARD_DECLINED' | 'CANCELLED') => {
    const { id, intentId } = await opened()
    await host.ledger.declineOrder(intentId, cause)
    return id
  }
  const waiting = { at: systemClock.now(), path: `/c/${(await opened()).id}` }
  const paid = await opened()
  const value = { receipt: `${paid.intentId}-1`, amountMinor: 155_300n }
  await host.ledger.reportOrder(paid.intentId, { $case: 'confirmed', value })
  return [
    { name: 'start-card', ...see(await order()) },
    { name: 'card-waiting', ...watch(waiting) },
    { name: 'card-unconfirmed', ...watch(waiting, 121_000) },
    { name: 'card-declined', ...see(await declined('CARD_DECLINED')) },
    { name: 'card-cancelled', ...see(await declined('CANCELLED')) },
    { name: 'card-paid', ...see(paid.id) },
  ]
}
