import type { Outcome, Phone } from '../../phones/rules/phone'
import type { BookRow } from '../../book/rules/book'
import { shownFacets } from '../../sessions/rules/world'
import { callBack } from '../call-back'
import { callbackBody } from './callback-body'
import { confirm, movePayment } from './move-payment'
import { nextReceipt } from './ids'
import { networkWords, results, type NetworkOutcome } from './result-codes'
import { repeatMs, type Mpesa, type Push } from './state'

/** Ends a payment after the payer's answer: the network may refuse, then the money moves and the callback is sent. */
export function conclude(mpesa: Mpesa, phone: Phone, push: Push, outcome: Outcome): void {
  if (outcome !== 'agreed') {
    finish(mpesa, push, outcome)
    return
  }
  const refusal = lastRefusal(mpesa, push)
  if (refusal === undefined) finish(mpesa, push, outcome, moveMoney(mpesa, phone, push))
  else refuseByNetwork(mpesa, push, refusal)
}

/** Ends the push by a rule of the network, whatever the payer did. */
export function refuseByNetwork(mpesa: Mpesa, push: Push, refusal: NetworkOutcome): void {
  const why = networkWords[refusal]
  mpesa.world.events.append('network_refused', { ...shownFacets(push), why })
  finish(mpesa, push, refusal)
}

/** Records the end of a push, and sends the callback. */
function finish(mpesa: Mpesa, push: Push, outcome: Outcome | NetworkOutcome, paid?: BookRow): void {
  const result = results[outcome]
  push.result = result
  callBack(mpesa.world, mpesa.deliver, {
    url: push.callbackUrl,
    facets: push,
    reference: push.checkoutRequestId,
    result: result.code,
    body: (amountMinor) =>
      callbackBody(mpesa.world.seed, push, result, paid && { ...paid, amountMinor }),
    ...(paid && {
      echo: () => {
        confirm(mpesa, paid, '')
      },
    }),
    settled() {
      push.calledBack = true
      for (const run of push.waiting.splice(0)) run()
    },
  })
}

function lastRefusal(mpesa: Mpesa, push: Push): NetworkOutcome | undefined {
  if (mpesa.world.book.isFull()) return 'busy'
  const paidAtMs = mpesa.lastPaidAtMs.get(repeatKey(push))
  return paidAtMs !== undefined && mpesa.world.time.now() - paidAtMs < repeatMs
    ? 'repeated'
    : undefined
}

function moveMoney(mpesa: Mpesa, phone: Phone, push: Push): BookRow {
  const { msisdn, business, account, amountMinor, checkoutRequestId: reference } = push
  const row = movePayment(mpesa, phone, {
    receipt: nextReceipt(mpesa),
    kind: 'stk_push',
    reference,
    ...{ msisdn, business, account, amountMinor },
  })
  mpesa.lastPaidAtMs.set(repeatKey(push), mpesa.world.time.now())
  return row
}

/** `join` copies the text: a text made by `+` keeps all its parts in memory, and there are many of these keys. */
function repeatKey(push: Push): string {
  return [push.msisdn, push.business, String(push.amountMinor)].join(' ')
}
