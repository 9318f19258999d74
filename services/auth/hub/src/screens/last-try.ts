import type { IntentStatus } from '@malipo/interface/fields'
import type { CheckoutView } from '@malipo/interface/hub'
import { causeText } from './cause-text'

interface LastTry {
  readonly kind: 'warn' | 'calm'
  readonly text: string
  readonly why?: string
}

const inProgress = { kind: 'calm', text: 'payment in progress' } as const
const over = { kind: 'warn', text: 'last try failed' } as const

/** The advice for an attempt that was reported as paid: "failed" or "in progress" might make a merchant ask twice. */
export const beingChecked = 'We are checking it. Do not deliver yet, and do not ask for it again'

const tries: Readonly<Record<IntentStatus, LastTry | undefined>> = {
  created: inProgress,
  reserved: inProgress,
  submitted: inProgress,
  pending: inProgress,
  failed: over,
  expired: over,
  reversed: { kind: 'warn', text: 'money given back' },
  // The money of a completed attempt that did not complete its checkout is held, which another badge shows.
  completed: undefined,
}

const wait = 'Do not deliver yet, and do not ask for it again: wait until it is confirmed'

type Tried = Pick<CheckoutView, 'payment' | 'found_unpaid' | 'reported_at' | 'may_have_paid'>

/** The result of the last payment attempt of an open or expired checkout; undefined when there is none to show. */
export function lastTry(checkout: Tried): LastTry | undefined {
  if (checkout.reported_at != null) {
    return { kind: 'warn', text: 'reported as paid', why: beingChecked }
  }
  const last = triedLast(checkout)
  return checkout.may_have_paid ? stillOpen(checkout, last) : last
}

function triedLast({ payment, found_unpaid: isFoundUnpaid }: Tried): LastTry | undefined {
  const last = payment === null ? undefined : tries[payment.status]
  if (payment?.cause == null || last === undefined) return last
  const why = causeText(payment, isFoundUnpaid)
  if (payment.cause !== 'unconfirmed') return { ...last, why }
  // A merchant who reads "failed" asks for the money again, but the first payment may come until its report is closed.
  return { ...last, text: isFoundUnpaid ? 'last try not paid' : 'last try not confirmed', why }
}

/** A refusal of the last attempt says nothing of an earlier one, and answers to status queries have been wrong. */
function stillOpen({ payment }: Tried, last: LastTry | undefined): LastTry | undefined {
  if (payment === null) {
    const why = `A payment was reported and may still arrive. ${wait}`
    return { kind: 'warn', text: unconfirmed, why }
  }
  if (last === undefined || payment.cause === 'unconfirmed') return last
  const ended = last.why === undefined ? '' : `${last.why}. `
  const why = `${ended}Money of this or an earlier try may still arrive. ${wait}`
  return { ...last, text: last.text === over.text ? unconfirmed : last.text, why }
}

const unconfirmed = 'payment not confirmed'
