import { eventually } from '@malipo/testing/eventually'
import { openReceiver, verified } from '@malipo/testing/webhook-receiver'
import type { KeyboardVisitor } from './keyboard-visitor'

/** A merchant's server that is told of events, as its owner sets it up in the hub. */
export interface ToldServer {
  /** Adds its address at the screen of webhooks and sends a test event; answers what is wrong with the screens. */
  add(visitor: KeyboardVisitor, pin: string): Promise<string[]>
  /** Receives that a checkout is completed; answers what is wrong with the screen that shows the delivery. */
  isToldOf(checkoutId: string, visitor: KeyboardVisitor): Promise<string[]>
  /** As the hub showed it once. */
  secret(): string
  stop(): Promise<void>
}

export async function openToldServer(): Promise<ToldServer> {
  const receiver = await openReceiver()
  let secret = ''
  /** The event that came next, as the public library of Standard Webhooks verifies it. */
  const next = async () =>
    verified(secret, await eventually('an event arrives', () => receiver.received.shift()))
  return {
    async add(visitor, pin) {
      await visitor.press('Webhooks')
      await visitor.sees('No address yet')
      await visitor.press('New address')
      await visitor.type('Address', receiver.url)
      await visitor.enter('PIN', pin)
      await visitor.sees('Your signing secret')
      const wrong = await visitor.judge('hub-new-webhook')
      secret = await visitor.page.locator('[data-webhook-secret]').innerText()
      await visitor.press('I have stored it')
      await visitor.press('Send a test event')
      expect(await next()).toMatchObject({ type: 'webhook.test' })
      await visitor.sees('200')
      return wrong
    },
    async isToldOf(id, visitor) {
      expect(await next()).toMatchObject({ type: 'checkout.completed', data: { id } })
      await visitor.page.reload()
      await visitor.sees('checkout.completed')
      return visitor.judge('hub-webhooks', 'and wide')
    },
    secret: () => secret,
    stop: () => receiver.stop(),
  }
}
