import type { Country } from '@malipo/kernel/countries'
import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import { enterFixture, type Fixture } from './fixture'
import { ask } from './http'
import { type Hub, openHub } from './hub'
import { journeyStack } from './journey-stack'
import { openPayerPage, type PayerPage } from './payer-page'
import type { RunningStack } from './running-stack'

describe('handles and links', () => {
  let stack: RunningStack
  let browser: Browser
  let fixtures: Readonly<Record<Country, Fixture>>
  let hubs: Readonly<Record<Country, Hub>>

  beforeAll(async () => {
    const { fixture, browser: opened } = await journeyStack()
    browser = opened
    stack = fixture.stack
    fixtures = { ke: fixture, ug: enterFixture(stack, 'ug') }
    hubs = { ke: await openHub(stack.file, 'ke'), ug: await openHub(stack.file, 'ug') }
  })

  afterAll(() => fixtures.ug.close())

  const pageOf = (country: Country, handle: string) =>
    `${stack.file.hosts[country].base_url}/p/${handle}`

  async function visit(path: string, use: (visitor: PayerPage) => Promise<void>, script = true) {
    const visitor = await openPayerPage(browser, { javaScriptEnabled: script })
    await visitor.open(path)
    await use(visitor)
    expect(await visitor.wrongWith()).toEqual([])
    await visitor.close()
  }

  /** Waits until the balance of a wallet is `minor` more than `before`. */
  async function grew(country: Country, before: bigint, minor: bigint) {
    const has = async () => (await hubs[country].balance()) === before + minor
    await eventually('the money is in the wallet', has, 60_000)
  }

  test('a payment to a link, with another amount than the link suggests, is credited to the wallet', async () => {
    const before = await hubs.ke.balance()
    const link = await hubs.ke.createLink({ title: 'School fees', amount: '250000' })
    const phone = await fixtures.ke.simulator.addPhone('approve')
    await visit(pageOf('ke', link), async (visitor) => {
      await visitor.sees('School fees')
      const amount = visitor.page.getByRole('textbox', { name: 'Amount' })
      expect(await amount.inputValue()).toBe('2500')
      expect(await visitor.wrongWith()).toEqual([])
      await amount.fill('1,200.50')
      await visitor.pay(phone)
      await visitor.sees('Paid to')
      await visitor.sees(/1,200\.50/)
      expect(visitor.page.url()).toMatch(new RegExp(`/p/${link}/pi_[0-9a-f]{24}$`))
      // A reload shows the current state.
      await visitor.page.reload()
      await visitor.sees('Paid to')
    })
    await grew('ke', before, 120_050n)
    expect(await fixtures.ke.simulator.promptsOf(phone)).toBe(1)
  })

  test('an amount too large to be credited on a callback alone is credited once M-PESA confirms it', async () => {
    const before = await hubs.ke.balance()
    const phone = await fixtures.ke.simulator.addPhone('approve')
    await visit(pageOf('ke', fixtures.ke.merchant.username), async (visitor) => {
      await visitor.page.getByRole('textbox', { name: 'Amount' }).fill('4,000')
      await visitor.pay(phone)
      await visitor.sees('Paid to')
    })
    await grew('ke', before, 400_000n)
    expect(await fixtures.ke.simulator.promptsOf(phone)).toBe(1)
  })

  test('a payer who cancels sees that, and can pay on the same page', async () => {
    const before = await hubs.ke.balance()
    const phone = await fixtures.ke.simulator.addPhone('cancel')
    const approvingPhone = await fixtures.ke.simulator.addPhone('approve')
    await visit(pageOf('ke', fixtures.ke.merchant.username), async (visitor) => {
      await visitor.page.getByRole('textbox', { name: 'Amount' }).fill('20')
      await visitor.pay(phone)
      await visitor.sees('No money was taken.')
      await visitor.pay(approvingPhone)
      await visitor.sees('Paid to')
    })
    await grew('ke', before, 2_000n)
  })

  test('row 57: a link is paid from the Pay Bill menu, in small letters', async () => {
    const before = await hubs.ke.balance()
    const link = await hubs.ke.createLink()
    const record = await ask<{ data: Record<string, string> }>(
      `${stack.file.hosts.ke.base_url}/v1/payments/public/handles/${link}`,
    )
    const phone = await fixtures.ke.simulator.addPhone('ask')
    await fixtures.ke.simulator.payFromMenu(phone, {
      business_number: record.body.data['paybill'] ?? '',
      account_number: link.toLowerCase(),
      amount: '30000',
    })
    await grew('ke', before, 30_000n)
  })

  test('a handle of Uganda is paid over MTN, without JavaScript', async () => {
    const before = await hubs.ug.balance()
    const phone = await fixtures.ug.simulator.addPhone('approve', '25677')
    const page = pageOf('ug', fixtures.ug.merchant.username)
    const pay = async (visitor: PayerPage) => {
      await visitor.page.getByRole('textbox', { name: 'Amount' }).fill('5,000')
      await visitor.pay(phone)
      await visitor.sees('Paid to')
    }
    await visit(page, pay, false)
    await grew('ug', before, 500_000n)
  })

  test.each([
    ['ke', 'ug', 'Kenya', 'KE'],
    ['ug', 'ke', 'Uganda', 'UG'],
  ] as const)(
    'the page of a handle of %s is linked from the page of that handle on the host of %s',
    async (home, other, name, code) => {
      const handle = fixtures[home].merchant.username
      await visit(pageOf(other, handle), async (visitor) => {
        await visitor.sees(`This is paid in ${name}`)
        await visitor.page.getByRole('link', { name: `Go to the page for ${name}` }).click()
        await visitor.page.getByRole('textbox', { name: 'Amount' }).waitFor()
        expect(visitor.page.url()).toBe(pageOf(home, handle))
      })
      const away = `${stack.file.hosts[other].base_url}/v1/payments/public`
      const resolved = await ask<{ data: unknown }>(`${away}/handles/${handle}`)
      expect(resolved.body.data).toMatchObject({
        home_country: code,
        served_here: false,
        currency: null,
        accepting: false,
      })
      const refused = await ask(`${away}/checkout`, {
        method: 'POST',
        headers: { 'idempotency-key': 'k' },
        body: { handle, amount: 50_000, phone: '254712345678' },
      })
      expect(refused).toMatchObject({ status: 404, body: { code: 2783 } })
    },
  )
})
