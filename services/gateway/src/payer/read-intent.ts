import { readIntentId } from '@malipo/interface/fields'
import type { IntentView } from '@malipo/interface/payment'
import type { Intent } from '@malipo/ledger-client/intents'
import type { Ledger } from '@malipo/ledger-client/ledger'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'

/** `GET /v1/payments/public/intents/{id}`: polled by the payer page, so it has no rate limit by address. */
export function readIntent({ ledger }: { readonly ledger: Pick<Ledger, 'readIntent'> }): Operation {
  return async (request) => {
    const intentId = readIntentId(request.params['id'])
    return succeed(200, 'Intent retrieved', show(await ledger.readIntent(intentId)))
  }
}

function show(intent: Intent): IntentView {
  return {
    intent_id: intent.intentId,
    status: intent.status,
    amount_settled: String(intent.settledMinor ?? 0n),
    currency: intent.currency,
  }
}
