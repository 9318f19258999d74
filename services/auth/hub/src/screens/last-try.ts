import type { IntentStatus } from '@malipo/interface/fields'
import type { PaymentView } from '@malipo/interface/hub'
import { causeText } from './cause-text'

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

/** How the last payment attempt of a checkout that is not completed stands; undefined where there is none to tell of. */
export function lastTry(payment: PaymentView | null): LastTry | undefined {
  const last = payment === null ? undefined : tries[payment.status]
  if (payment?.cause == null || last === undefined) return last
  // Who reads "failed" asks for the money again, and this money may still come.
  const isSure = payment.cause !== 'unconfirmed'
  return { ...last, ...(!isSure && { text: 'last try not confirmed' }), why: causeText(payment) }
}
