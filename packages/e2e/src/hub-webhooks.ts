import { eventually } from '@malipo/testing/eventually'
import { openReceiver, verified } from '@malipo/testing/webhook-receiver'
import type { Cli } from './cli'
import type { KeyboardVisitor } from './keyboard-visitor'

/** A merchant's webhook server behind `malipo listen`, whose address the merchant adds in the hub. */
export interface WebhookServer {
  /**
   * Adds the server's address on the screen of webhooks, and sends a test event; returns what is wrong with the
   * screens.
   */
  add(visitor: KeyboardVisitor, pin: string): Promise<string[]>
  /** Adds an address at which nothing answers, and sends a test event there. */
  addSilent(visitor: KeyboardVisitor, pin: string): Promise<void>
  /** Waits for the `checkout.completed` event; returns what is wrong with the screen that shows the delivery. */
  receivesPaid(checkoutId: string, visitor: KeyboardVisitor): Promise<string[]>
  /** The signing secret, which the hub showed once. */
  secret(): string
  /** Ends `malipo listen` by Ctrl-C. */
  stop(): Promise<void>
}

export async function openWebhookServer(cli: Cli): Promise<WebhookServer> {
  const receiver = await openReceiver()
  const listen = cli.start(['listen', '--forward-to', receiver.url, '--port', '0'])
  const { address } = await eventually('malipo listens', () => listen.printed()[0])
  let secret = ''
  /** Waits for the next event, and verifies it by the public library of Standard Webhooks. */
  const next = async () =>
    verified(secret, await eventually('an event arrives', () => receiver.received.shift()))
  return {
    async add(visitor, pin) {
      await visitor.press('Webhooks')
      await visitor.sees('No address yet')
      await visitor.press('New address')
      await visitor.type('Address', String(address))
      await visitor.enter('PIN', pin)
      await visitor.sees('Your signing secret')
      const wrong = await visitor.judge('hub-new-webhook')
      secret = await visitor.page.locator('[data-webhook-secret]').innerText()
      await visitor.press('I have stored it')
      await visitor.press('Send a test event')
      expect(await next()).toMatchObject({ type: 'webhook.test' })
      await visitor.sees('200')
      await visitor.press('Resend since…')
      await visitor.press('Send again')
      await visitor.sees('Nothing waits to be sent again')
      wrong.push(...(await visitor.judge('hub-resend-since', 'and wide')))
      await visitor.press('Close')
      return wrong
    },
    async addSilent(visitor, pin) {
      const url = 'http://127.0.0.1:1/'
      await visitor.goTo('API Integrations')
      await visitor.press('Webhooks')
      await visitor.press('New address')
      await visitor.type('Address', url)
      await visitor.enter('PIN', pin)
      await visitor.press('I have stored it')
      const card = visitor.page.locator('section').filter({ hasText: url })
      await card.getByRole('button', { name: 'Send a test event' }).press('Enter')
      const notice = visitor.page.getByRole('status').filter({ hasText: 'Test event sent' })
      await notice.waitFor({ state: 'attached' })
    },
    async receivesPaid(id, visitor) {
      expect(await next()).toMatchObject({ type: 'checkout.completed', data: { id } })
      await visitor.page.reload()
      await visitor.sees('checkout.completed')
      const shown = { type: 'checkout.completed', id, status: 200, failure: null }
      expect(listen.printed()).toContainEqual(expect.objectContaining(shown))
      return visitor.judge('hub-webhooks', 'and wide')
    },
    secret: () => secret,
    async stop() {
      expect(await listen.stop()).toMatchObject({ exitCode: 0, stderr: '' })
      await receiver.stop()
    },
  }
}
