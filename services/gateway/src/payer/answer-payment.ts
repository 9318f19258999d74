import type { PaymentView } from '@malipo/interface/payment'
import { maskPhone } from '@malipo/kernel/ids'
import type { Intent, StartOutcome } from '@malipo/ledger-client/intents'
import { type Answer, succeed } from '@malipo/runtime/answer'
import { noteSubject } from '@malipo/runtime/telemetry'

const outcomes = {
  started: {
    status: 202,
    description: 'Checkout initiated',
    headers: {},
    message: (phone: string) =>
      `A prompt was sent to ${phone}. Enter your PIN on that phone to pay.`,
  },
  replayed: {
    status: 200,
    description: 'Checkout initiated',
    headers: { 'Idempotency-Replayed': 'true' },
    message: () => 'This is a duplicate request: the existing intent is returned.',
  },
  in_progress: {
    status: 200,
    description: 'Checkout already in progress',
    headers: {},
    message: () => 'A payment of this checkout is already in progress: no new prompt was sent.',
  },
} as const satisfies Record<StartOutcome, object>

export function answerPayment(
  { intent, outcome }: { readonly intent: Intent; readonly outcome: StartOutcome },
  phone: string,
): Answer {
  noteSubject({ intentId: intent.intentId })
  const { status, description, headers, message } = outcomes[outcome]
  return succeed(status, description, show(intent, message(maskPhone(phone))), headers)
}

function show(intent: Intent, message: string): PaymentView {
  return {
    intent_id: intent.intentId,
    status: intent.status,
    amount: String(intent.amountMinor),
    currency: intent.currency,
    rail: intent.rail,
    message,
  }
}
