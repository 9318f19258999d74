import type { FailureCause } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import type { Page } from 'playwright-core'
import { anyPhone, type RunningHost } from '../start.harness'
import type { Language } from './texts/texts'

/** A screen of the payer pages, and how a browser gets to it. */
export interface ShownScreen extends Way {
  readonly name: string
}

interface Way {
  /** The address to open; on some screens a button press or a wait follows. */
  readonly url: string
  /** Prepares the state behind the screen. Runs once, before it is opened. */
  prepare(): Promise<void>
  open(page: Page, language: Language): Promise<void>
}

/** A merchant of one host, with functions that move its checkouts on. */
export type Shop = ReturnType<typeof openShop>

/** An intent, and when it began. */
interface Begun {
  readonly path: string
  readonly at: number
}

export function openShop(host: RunningHost) {
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
      const at = systemClock.now()
      await shop.prompt(id)
      return { path: `/c/${id}`, at }
    },
    /** Loses the provider's answer to the push. */
    async unanswered() {
      const id = await shop.order()
      await host.ledger.submitInVain((await host.startPayment(id)).intentId)
      return id
    },
    /** Starts a payment on a phone that shows a prompt already, so that its own waits. */
    async queued() {
      const phone = anyPhone()
      await host.ledger.submit((await host.startPayment(await shop.order(), phone)).intentId)
      const id = await shop.order()
      await host.ledger.beginSubmit({ intentId: (await host.startPayment(id, phone)).intentId })
      return id
    },
    async failed(cause: keyof typeof FailureCause, times = 1) {
      const id = await shop.order()
      for (let time = 0; time < times; time += 1) await shop.decline(id, cause)
      return id
    },
    async decline(id: string, cause: keyof typeof FailureCause) {
      await host.ledger.decline(await shop.prompt(id), cause)
    },
    /** Lists another amount in the statement than was asked for, so that the money is held. */
    async paidShort() {
      const id = await shop.order()
      const { intentId } = await host.startPayment(id)
      await host.ledger.submit(intentId)
      await host.ledger.reportRow(intentId, 100_000n)
      return id
    },
    async paid(input: object) {
      const id = await shop.order(input)
      const receipt = await host.ledger.pay(await shop.prompt(id), 150_000n)
      return { id, receipt }
    },
    see: (id: string) => shop.visit(`/c/${id}`),
    /** Opens the page of an intent that began at `at` as if this much time had passed since. */
    watch: ({ path, at }: Begun, afterMs = 3_000) => shop.visit(path, at + afterMs),
    visit(path: string, atMs?: number): Way {
      const url = host.url + path
      return {
        url,
        prepare() {
          host.time.aheadMs = atMs === undefined ? 0 : atMs - systemClock.now()
          return Promise.resolve()
        },
        async open(page, language) {
          // The script of the page before may be loading another page, which aborts this navigation.
          await eventually('the page', () =>
            page.goto(`${url}?lang=${language}`).catch((error: unknown) => {
              if (!String(error).includes('ERR_ABORTED')) throw error
              return undefined
            }),
          )
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
          await sendPlainly(page)
        },
      }
    },
  }
  return shop
}

/** Sends the form as a browser without JavaScript does, and waits for the page after the redirect. */
export async function sendPlainly(page: Page): Promise<void> {
  await Promise.all([
    page.waitForEvent('domcontentloaded'),
    page.evaluate(`document.querySelector('[data-pay]').submit()`),
  ])
}
