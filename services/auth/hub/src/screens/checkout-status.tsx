import type { CheckoutView } from '@malipo/interface/hub'
import { Badge } from '../parts/badge'

const words = {
  open: { kind: 'calm', text: 'Open' },
  completed: { kind: 'good', text: 'Completed' },
  expired: { kind: 'warn', text: 'Expired' },
} as const

export function CheckoutStatusBadge({ checkout }: { readonly checkout: CheckoutView }) {
  return (
    <>
      <Badge {...words[checkout.status]} />
      {checkout.paid_after_expiry && <Badge kind="calm" text="Paid after expiry" />}
      {checkout.money_held && <Badge kind="bad" text="Money held" />}
    </>
  )
}
