import type { Browser } from 'playwright-core'
import { wrongAbout } from './books'
import type { Fixture } from './fixture'
import { journeyStack } from './journey-stack'
import type { Checkout } from './merchant'
import { operate } from './operator'
import { playStory } from './packs/play'
import { plays } from './packs/plays'
import { openTester } from './packs/tester'
import { openPayerPage, type PayerPage } from './payer-page'

describe('the payer page', () => {
  let fixture: Fixture
  let browser: Browser
  const pages: PayerPage[] = []

  beforeAll(async () => {
    ;({ fixture, browser } = await journeyStack())
  })

  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()))
  })

  async function arrive(
    url: string,
    options?: { readonly javaScriptEnabled: boolean },
  ): Promise<PayerPage> {
    const payer = await openPayerPage(browser, options)
    pages.push(payer)
    await payer.open(url)
    return payer
  }

  const order = (): Promise<Checkout> =>
    fixture.merchant.createCheckout({
      // The price has cents, because the M-PESA of this stack takes them.
      amount: 123_456,
      description: 'Two bags of coffee',
      reference: 'order-7',
      return_url: 'https://shop.example/thanks?lang=en',
    })

  async function expectPaid({ id }: Checkout, msisdn: string): Promise<void> {
    const checkout = await fixture.merchant.readCheckout(id)
    expect(checkout.status).toBe('completed')
    expect(await wrongAbout(fixture, { checkout, intentStatus: 'completed', msisdn })).toEqual([])
  }

  test('offers a card once an operator has switched cards on for the account, and not after they are off', async () => {
    const { dir } = fixture.stack
    const account = await fixture.journal.firstAccount()
    // The journey of the hub has enrolled her already, unless this test runs alone.
    await operate(dir, 'enroll', 'amina')
    const cards = (...words: readonly string[]) =>
      operate(dir, 'wallet', 'cards', account, ...words, '--identity', 'amina')
    const why = ['--note', 'the merchant asked'] as const
    const { url } = await fixture.merchant.createCheckout({ amount: 150_000, description: 'Tea' })
    expect((await cards(...why)).text).toContain('On or off?')
    expect((await cards('off')).text).toContain('Why?')
    expect(await cards('off', ...why)).toEqual({ text: 'switched off\n', isGood: true })
    const payer = await arrive(url)
    await payer.sees('Pay')
    const byCard = payer.page.getByRole('button', { name: /by card/ })
    expect(await byCard.count()).toBe(0)
    expect(await cards('off', ...why)).toEqual({ text: 'nothing to do\n', isGood: false })
    expect(await cards('on', ...why)).toEqual({ text: 'switched on\n', isGood: true })
    await payer.open(url)
    await byCard.waitFor()
  })

  test('takes a payer with an Airtel number to the receipt over Airtel Money', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('approve', '25473')
    const payer = await arrive(checkout.url)
    await payer.pay(`0${msisdn.slice(3)}`)
    await payer.sees('Paid to')
    expect(await payer.wrongWith()).toEqual([])
    await expectPaid(checkout, msisdn)
    const transfers = await fixture.journal.transfers()
    expect(transfers.map(({ debit }) => debit)).toContain('float:airtel_money')
  })

  test('takes a payer from the amount to the receipt, by a prompt approved on the phone', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('ask')
    const payer = await arrive(checkout.url)
    await payer.sees('Two bags of coffee')
    await payer.sees(/KES\s1,234\.56/)
    expect(await payer.page.getByText('whole shillings').count()).toBe(0)
    expect(await payer.wrongWith()).toEqual([])

    await payer.pay(`0${msisdn.slice(3)}`)
    await payer.sees('Check your phone')
    expect(await payer.wrongWith()).toEqual([])

    await fixture.simulator.happened('prompt_opened', msisdn)
    const phones = await browser.newPage()
    await phones.goto(fixture.simulator.pageUrl)
    const phone = phones.locator(`[data-msisdn="${msisdn}"]`)
    await phone
      .getByText(/KES\s1,234\.56/)
      .first()
      .waitFor()
    await phone.getByRole('button', { name: 'Approve' }).click()
    await phones.close()

    await payer.sees('Paid to')
    expect(await payer.wrongWith()).toEqual([])
    const back = payer.page.getByRole('link', { name: 'Continue to shop.example' })
    expect(await back.getAttribute('href')).toBe(
      `https://shop.example/thanks?lang=en&checkout=${checkout.id}&reference=order-7&status=completed`,
    )
    await expectPaid(checkout, msisdn)
  })

  test('shows the receipt before its next poll, because the stream announces it', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('ask')
    const payer = await arrive('about:blank')
    // Disables all polling and the countdown, so that only the stream can update the page.
    await payer.page.addInitScript('globalThis.setInterval = () => 0')
    await payer.open(checkout.url)
    await payer.pay(msisdn)
    await fixture.simulator.happened('prompt_opened', msisdn)
    await payer.sees('Check your phone')
    await fixture.simulator.answer(msisdn, 'approve')
    await payer.sees('Paid to')
    await expectPaid(checkout, msisdn)
  })

  test('says why a declined payment failed, that no money was taken, and lets the payer try again', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('ask')
    const payer = await arrive(checkout.url)
    await payer.pay(msisdn)
    await fixture.simulator.happened('prompt_opened', msisdn)
    await fixture.simulator.answer(msisdn, 'cancel')
    await payer.sees('The prompt was cancelled')
    await payer.sees('No money was taken.')
    expect(await payer.wrongWith()).toEqual([])
    const seen = await fixture.merchant.readCheckout(checkout.id)
    expect(seen).toMatchObject({
      status: 'open',
      payment: { status: 'failed', provider_receipt: null },
    })

    const other = await fixture.simulator.addPhone('approve')
    await payer.pay(other)
    await payer.sees('Paid to')
    await expectPaid(checkout, other)
  })

  test.each([
    ['wrong_pin', 'Wrong PIN'],
    ['no_funds', 'Not enough money in your M-PESA'],
  ] as const)('names the cause when the phone answers %s', async (answer, title) => {
    const checkout = await order()
    const payer = await arrive(checkout.url)
    await payer.pay(await fixture.simulator.addPhone(answer))
    await payer.sees(title)
    expect((await fixture.merchant.readCheckout(checkout.id)).payment?.status).toBe('failed')
  })

  test('works without JavaScript, from the form to the receipt', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('ask')
    const payer = await arrive(checkout.url, { javaScriptEnabled: false })
    await payer.pay(msisdn)
    await payer.sees('Check your phone')
    await fixture.simulator.happened('prompt_opened', msisdn)
    await fixture.simulator.answer(msisdn, 'approve')
    // The page refreshes itself, without a press.
    await payer.sees('Paid to')
    await expectPaid(checkout, msisdn)
  })

  test('in two tabs asks the payer once, and both see the receipt', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('ask')
    const [one, other] = [await arrive(checkout.url), await arrive(checkout.url)]
    await Promise.all([one.pay(msisdn), other.pay(msisdn)])
    await Promise.all([one.sees('Check your phone'), other.sees('Check your phone')])
    await fixture.simulator.happened('prompt_opened', msisdn)
    await fixture.simulator.answer(msisdn, 'approve')
    await Promise.all([one.sees('Paid to'), other.sees('Paid to')])
    expect(await fixture.simulator.promptsOf(msisdn)).toBe(1)
    await expectPaid(checkout, msisdn)
  })

  test('row 37: lands on the right screen after a reload, and after going back and forward', async () => {
    const checkout = await order()
    const msisdn = await fixture.simulator.addPhone('ask')
    const payer = await arrive(checkout.url)
    await payer.pay(msisdn)
    await payer.sees('Check your phone')
    await payer.page.reload()
    await payer.sees('Check your phone')
    await fixture.simulator.happened('prompt_opened', msisdn)
    await fixture.simulator.answer(msisdn, 'approve')
    await payer.sees('Paid to')
    // All screens of one payment are one entry of the browser's history, so going back leaves the payer page.
    await payer.page.goBack()
    await payer.page.goForward()
    await payer.sees('Paid to')
    expect(await fixture.simulator.promptsOf(msisdn)).toBe(1)
  })

  test('asks for another number when the typed one is not valid', async () => {
    const payer = await arrive((await order()).url)
    await payer.pay('0712')
    await payer.sees(/does not look like a mobile number/)
  })

  test('a tester plays stories with cents, and reads in the inspector why each checkout ended as it did', async () => {
    const { packs } = await fixture.provider.meta()
    expect(Object.keys(plays).sort()).toEqual(packs.map(({ name }) => name).sort())
    const simulatorUrl = fixture.provider.pageUrl
    const tester = await openTester({ browser, simulatorUrl, picturesDir: undefined })
    const cents = { amountMinor: 50_056, askedMinor: 50_056 }
    const stage = { merchant: fixture.merchant, tester, ...cents }
    const cancelled = await playStory('cancel', plays.cancel, stage)
    expect([cancelled.badge, ...cancelled.why]).toEqual([
      'Cancelled',
      'The prompt ended: cancelled.',
    ])
    const paid = await playStory('happy-path', plays['happy-path'], stage)
    expect(paid.badge).toBe('Paid')
    expect(paid.ended).toMatch(/^completed/)
    await tester.leave()
  })

  test('shows that an unknown checkout does not exist', async () => {
    const { base_url } = fixture.stack.file.hosts.ke
    const payer = await arrive(`${base_url}/c/cs_ke_${'0'.repeat(24)}`)
    await payer.sees('There is no such payment page')
  })
})
