import type { CheckoutView } from '@malipo/interface/hub'
import { Badge } from '../parts/badge'
import { isReversed } from './completed-note'
import { lastTry } from './last-try'

const words = {
  open: { kind: 'calm', text: 'Open' },
  completed: { kind: 'good', text: 'Completed' },
  expired: { kind: 'warn', text: 'Expired' },
} as const

/** The status of a checkout: an open or expired one also shows the result of its last payment attempt. */
export function CheckoutStatusBadge({ checkout }: { readonly checkout: CheckoutView }) {
  const word = words[checkout.status]
  const last = checkout.status === 'completed' ? undefined : lastTry(checkout)
  return (
    <>
      <Badge
        kind={last?.kind ?? word.kind}
        text={last === undefined ? word.text : `${word.text} · ${last.text}`}
      />
      {checkout.paid_after_expiry && <Badge kind="calm" text="Paid after expiry" />}
      {isReversed(checkout) && <Badge kind="bad" text="Payment reversed" />}
      {checkout.money_held && <Badge kind="bad" text="Money held" />}
      {last?.why !== undefined && <p class="soft">{last.why}</p>}
    </>
  )
}
