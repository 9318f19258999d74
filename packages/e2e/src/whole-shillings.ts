import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import type { Fixture } from './fixture'
import type { Hub } from './hub'
import type { Checkout } from './merchant'
import { operate } from './operator'
import { playStory } from './packs/play'
import { plays } from './packs/plays'
import { openTester } from './packs/tester'
import { openPayerPage } from './payer-page'

/** KES 1,234.56, and the amount that the payer is asked for where M-PESA takes whole shillings only. */
const priceMinor = 123_456
export const askedMinor = 123_500

export function order({ merchant }: Fixture): Promise<Checkout> {
  return merchant.createCheckout({ amount: priceMinor })
}

/** The rows of the journal for a checkout that is paid. */
async function posted(fixture: Fixture, { payment }: Checkout) {
  const transfers = await fixture.journal.transfers()
  return transfers.filter(
    ({ event_key: key }) => key === `receipt:mpesa:${payment?.provider_receipt ?? ''}`,
  )
}

async function untilPaid(fixture: Fixture, { id }: Checkout): Promise<Checkout> {
  return eventually(
    'the checkout is completed',
    async () => {
      const read = await fixture.merchant.readCheckout(id)
      return read.status === 'completed' && read
    },
    60_000,
    500,
  )
}

interface Given {
  readonly fixture: Fixture
  readonly hub: Hub
  readonly browser: Browser
}

/** Tests of a price with cents, from the page to the books, on a stack whose M-PESA takes whole shillings only. */
export function wholeShillingsTests(given: () => Given): void {
  test('a price with cents: the page says what is asked for before a number is typed, and all books have what was paid', async () => {
    const { fixture, hub, browser } = given()
    const before = await hub.balance()
    const checkout = await order(fixture)
    const msisdn = await fixture.provider.addPhone('ask', '25479')
    const payer = await openPayerPage(browser)
    await payer.open(checkout.url)
    await payer.sees(/The price is KES\s1,234\.56\. M-PESA takes whole shillings only/)
    await payer.page.getByRole('button', { name: /^Pay KES\s1,235\.00$/ }).waitFor()
    expect(await payer.wrongWith()).toEqual([])
    await payer.pay(msisdn)
    await payer.sees(/Check that it asks for KES\s1,235\.00/)
    await fixture.provider.happened('prompt_opened', msisdn)
    expect((await fixture.provider.phone(msisdn)).prompt?.amount).toBe(String(askedMinor))
    await fixture.provider.answer(msisdn, 'approve')
    await payer.sees('Paid to')
    await payer.sees(/KES\s1,234\.56/)
    expect(await payer.wrongWith()).toEqual([])
    await payer.close()

    const paid = await untilPaid(fixture, checkout)
    const settled = { status: 'completed', amount_settled: String(askedMinor) }
    expect(paid).toMatchObject({ amount: String(priceMinor), payment: settled })
    const [transfer, ...others] = await posted(fixture, paid)
    expect([transfer?.minor, others]).toEqual([String(askedMinor), []])
    expect(transfer?.credit).toMatch(/^wallet:/)
    expect((await hub.balance()) - before).toBe(BigInt(askedMinor))
    expect(await hub.fileRow(checkout.id)).toMatchObject({ amount: '1234.56', received: '1235' })
  })

  test('the Pay Bill menu refuses the price with its cents, and takes what the page asks for', async () => {
    const { fixture, browser } = given()
    const checkout = await order(fixture)
    const msisdn = await fixture.provider.addPhone('ask', '25479')
    const payer = await openPayerPage(browser)
    await payer.open(checkout.url)
    const page = await payer.page.content()
    await payer.close()
    const [account = ''] = /CS\d{8}/.exec(page) ?? []
    const [business = ''] = /\b\d{5,7}\b(?=<\/)/.exec(page) ?? []
    const pay = (minor: number) =>
      fixture.provider.payFromMenu(msisdn, {
        business_number: business,
        account_number: account,
        amount: String(minor),
      })
    await expect(pay(priceMinor)).rejects.toThrow('refused')
    expect((await fixture.merchant.readCheckout(checkout.id)).status).toBe('open')
    const receipt = await pay(askedMinor)
    const paid = await untilPaid(fixture, checkout)
    expect(paid).toMatchObject({
      amount: String(priceMinor),
      payment: { amount_settled: String(askedMinor), provider_receipt: receipt },
    })
    expect(await posted(fixture, paid)).toHaveLength(1)
  })

  storyWithCents(given)
}

function storyWithCents(given: () => Given): void {
  test('a tester plays a story with cents where shillings are whole, and the merchant gets what was asked for', async () => {
    const { fixture, browser } = given()
    const simulatorUrl = fixture.provider.pageUrl
    const tester = await openTester({ browser, simulatorUrl, picturesDir: undefined })
    const cents = { amountMinor: 50_056, askedMinor: 50_100 }
    const stage = { merchant: fixture.merchant, tester, ...cents }
    const played = await playStory('happy-path', plays['happy-path'], stage)
    expect(played.badge).toBe('Paid')
    expect(played.ended).toMatch(/^completed/)
    await tester.leave()
    await fixture.provider.playPack('none')
    expect(await operate(fixture.stack.dir, 'audit')).toMatchObject({ isGood: true })
  })
}
