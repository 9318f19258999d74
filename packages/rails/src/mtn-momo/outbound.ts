import { Fault } from '@malipo/kernel/errors'
import { isWholeMajor, majorText } from '@malipo/kernel/money'
import { description, intentHex } from '../outbound-texts'
import type { Prompt } from '../rail'
import type { MtnMomoSettings } from './settings'

/**
 * The text that the payer and the payee read: the shop, and the reference that the payer's page shows. At most 160
 * characters, and no special ones: MTN refuses an apostrophe.
 */
function noteOf({ payeeName, attemptReference }: Prompt): string {
  return `${description(payeeName, 140)} ${attemptReference}`
}

/** The body of a request to pay (providers.md 3.3). The amount is a text of whole shillings: UGX has no other. */
export function payBody(prompt: Prompt, settings: Pick<MtnMomoSettings, 'currency'>) {
  if (!isWholeMajor(prompt.amountMinor)) {
    throw new Fault('internal', { amountMinor: String(prompt.amountMinor) })
  }
  return {
    amount: majorText(prompt.amountMinor),
    currency: settings.currency,
    // Repeated in callbacks and in MTN's own reports; it need not be unique there.
    externalId: prompt.attemptReference,
    payer: { partyIdType: 'MSISDN', partyId: prompt.phone },
    payerMessage: noteOf(prompt),
    payeeNote: noteOf(prompt),
  }
}

export function payHeaders(prompt: Prompt) {
  return {
    'content-type': 'application/json',
    'x-reference-id': referenceIdOf(prompt.intentId),
    'x-callback-url': prompt.callbackUrl,
  }
}

/** The headers of every call, without its token. */
export function commonHeaders(settings: MtnMomoSettings) {
  return {
    'ocp-apim-subscription-key': settings.subscriptionKey,
    'x-target-environment': settings.targetEnvironment,
  }
}

/**
 * The `X-Reference-Id` of an attempt: the digits of its intent in the shape of a uuid v4, which MTN insists on. The
 * same intent always has the same one, so that a repeat is the same request; and a person can read one from the other.
 */
export function referenceIdOf(intentId: string): string {
  const hex = intentHex(intentId)
  const part = (from: number, to: number) => hex.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-4${part(12, 15)}-8${part(15, 18)}-${part(18, 24)}000000`
}
