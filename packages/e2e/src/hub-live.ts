import type { Fixture } from './fixture'
import type { KeyboardVisitor } from './keyboard-visitor'

/** A payment made elsewhere shows in the open list within 2 s of the payer's answer, and leaves the focus where it is. */
export async function seesPaymentUntouched(
  fixture: Fixture,
  { page }: KeyboardVisitor,
  createCheckout: (reference: string) => Promise<string>,
): Promise<void> {
  const link = page.getByRole('link', { name: 'order-2' })
  await link.focus()
  const checkoutId = await createCheckout('order-live')
  const row = page.getByRole('row').filter({ hasText: 'order-live' })
  await row.filter({ hasText: 'Open' }).waitFor({ timeout: 2_000 })
  const payer = fixture.newPayer()
  const msisdn = await fixture.simulator.addPhone('approve')
  const intentId = await payer.payUntilAnswered(checkoutId, msisdn)
  expect(await payer.untilFinal(intentId, 90_000)).toBe('completed')
  await row.filter({ hasText: 'Completed' }).waitFor({ timeout: 2_000 })
  const said = page.getByRole('status').filter({ hasText: '1 new payment' })
  await said.waitFor({ state: 'attached' })
  expect(await link.evaluate('document.activeElement.textContent')).toBe('order-2')
}
