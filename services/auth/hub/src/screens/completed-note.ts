import type { CheckoutView, TimelineView } from '@malipo/interface/hub'

/** Whether the money of a completed checkout went out of the wallet again. Its status stays `completed`. */
export function isReversed({ status, payment }: Pick<CheckoutView, 'status' | 'payment'>): boolean {
  return status === 'completed' && payment?.status === 'reversed'
}

/** What a merchant must know of a completed checkout beside its status, before they deliver. */
export function completedNote({
  checkout,
  attempts,
}: Pick<TimelineView, 'checkout' | 'attempts'>): string | undefined {
  if (isReversed(checkout)) {
    return 'The money of this checkout has gone out of your wallet again; the timeline says why. Do not deliver for it.'
  }
  const paid = attempts.find(({ intent_id: id }) => id === checkout.payment?.intent_id)
  // The notice about held money says what to do then.
  const isHeld = paid !== undefined && paid.held_because !== null
  return checkout.paid_after_expiry && !isHeld
    ? 'The money came after the checkout had expired. The checkout is completed: deliver its order, unless you have delivered it for another checkout.'
    : undefined
}
