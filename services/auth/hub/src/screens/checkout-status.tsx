import type { IntentStatus } from '@malipo/interface/fields'
import type { CheckoutView, PaymentView } from '@malipo/interface/hub'
import { Badge } from '../parts/badge'
import { causeText } from './cause-text'

const words = {
  open: { kind: 'calm', text: 'Open' },
  completed: { kind: 'good', text: 'Completed' },
  expired: { kind: 'warn', text: 'Expired' },
} as const

/** How a checkout stands: an open or expired one also says how its last payment attempt ended. */
export function CheckoutStatusBadge({ checkout }: { readonly checkout: CheckoutView }) {
  const word = words[checkout.status]
  const last = checkout.status === 'completed' ? undefined : lastTry(checkout.payment)
  return (
    <>
      <Badge
        kind={last?.kind ?? word.kind}
        text={last === undefined ? word.text : `${word.text} · ${last.text}`}
      />
      {checkout.paid_after_expiry && <Badge kind="calm" text="Paid after expiry" />}
      {checkout.money_held && <Badge kind="bad" text="Money held" />}
      {last?.why !== undefined && <p class="soft">{last.why}</p>}
    </>
  )
}

interface LastTry {
  readonly kind: 'warn' | 'calm'
  readonly text: string
  readonly why?: string
}

const inProgress = { kind: 'calm', text: 'payment in progress' } as const
const over = { kind: 'warn', text: 'last try failed' } as const

const tries: Readonly<Record<IntentStatus, LastTry | undefined>> = {
  created: inProgress,
  reserved: inProgress,
  submitted: inProgress,
  pending: inProgress,
  failed: over,
  expired: over,
  reversed: { kind: 'warn', text: 'money given back' },
  // Its money is held, which another badge says.
  completed: undefined,
}

function lastTry(payment: PaymentView | null): LastTry | undefined {
  const last = payment === null ? undefined : tries[payment.status]
  if (payment?.cause == null || last === undefined) return last
  // Who reads "failed" asks for the money again, and this money may still come.
  const isSure = payment.cause !== 'unconfirmed'
  return { ...last, ...(!isSure && { text: 'last try not confirmed' }), why: causeText(payment) }
}
