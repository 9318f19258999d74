import { majorText } from '@malipo/kernel/money'
import { pick } from '../../sessions/rules/draw'
import { messageOf, type Reason } from './reasons'
import type { PayRequest, PayState } from './state'

/**
 * The state of a request to pay or to transfer, as a status answer and as a callback (providers.md 3.4). A receipt and
 * a reason are absent where there is none; the measured callback of a failed request has no payerMessage. The reason is
 * a word in MTN's samples and an object in its schema: the seed decides which is written.
 */
export function transactionBody(
  seed: string,
  request: PayRequest,
  state: PayState,
  where: 'status' | 'callback',
): string {
  const receipt = state.status === 'SUCCESSFUL' ? state.receipt : ''
  const isShort = where === 'callback' && state.status === 'FAILED'
  return JSON.stringify({
    ...(receipt === '' ? {} : { financialTransactionId: receipt }),
    externalId: request.account,
    amount: majorText(request.amountMinor),
    currency: request.currency,
    [request.role]: request.party,
    ...(isShort ? {} : { payerMessage: request.payerMessage }),
    payeeNote: request.payeeNote,
    status: state.status,
    ...(state.status === 'FAILED' ? { reason: reasonOnWire(seed, request, state.reason) } : {}),
  })
}

function reasonOnWire(seed: string, { referenceId }: PayRequest, reason: Reason) {
  const message = messageOf[reason] ?? reason.toLowerCase().replaceAll('_', ' ')
  return pick<string | object>(seed, `reason ${referenceId}`, [
    reason,
    reason,
    { code: reason, message },
  ])
}
