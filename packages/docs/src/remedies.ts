import type { Reason } from '@malipo/kernel/errors'

interface Remedy {
  readonly why: string
  readonly help: string
}

const retryLater =
  'Wait as many seconds as `Retry-After` says, then send the same request again with the same `Idempotency-Key`: what was done before is not done twice.'

/** What each refusal means for a developer. A reason that is added to the kernel does not compile without an entry. */
export const remedies: Readonly<Record<Reason, Remedy>> = {
  invalid_request: {
    why: 'The JSON, a field, a header or an id in the path is not as the [reference](../reference.md) says. This is decided before the key is looked at, so this answer says nothing about your key. A wrong method on a known path has this code too, and `Allow` names the right one.',
    help: 'Read `errors`: each entry has the `path` of a field and a `message` that says what it must be. Amounts are integers in minor units, not text. Fields that the reference does not name are refused.',
  },
  route_not_found: {
    why: 'No route has this path.',
    help: 'Compare the path with the [reference](../reference.md). Paths are exact: no slash at the end.',
  },
  internal: {
    why: 'Something broke on our side. The request may have been done.',
    help: 'Send it again with the same `Idempotency-Key`. When the code stays, tell us the `request_id`.',
  },
  unavailable: {
    why: 'A service behind the host did not answer in time. Nothing was decided.',
    help: retryLater,
  },
  rate_limited: {
    why: 'More requests came than the [limits](../limits.md) allow: 120 a minute for an account on the merchant routes, and limits by phone, checkout and address on the payer routes.',
    help: 'Wait as many seconds as `Retry-After` says. To follow open orders, use [`Prefer: wait`](../waiting.md): one request waits for a minute, and counts once.',
  },
  amount_outside_limits: {
    why: 'The amount is below the minimum or above the maximum of the country, or not a whole unit where only those are taken. The `description` names the limits of this host.',
    help: 'Send minor units: `150000` is 1,500.00. See [limits](../limits.md) and, for UGX, [Uganda](../uganda.md).',
  },
  intent_not_found: {
    why: 'No payment attempt of this host has this id.',
    help: 'Use the `intent_id` of the answer that started the payment, on the same host.',
  },
  handle_not_found: {
    why: 'No account and no link has this name, or the link is closed.',
    help: 'Check the spelling with the owner of the account.',
  },
  ledger_unavailable: {
    why: 'The ledger did not answer in time, or has as much work as it may take. Nothing says that the request failed.',
    help: retryLater,
  },
  card_off: {
    why: 'This checkout cannot be paid by card: cards are off for the account, or the amount is not a multiple of 100.',
    help: 'Offer a card only where `checkout.card` is not null. See [cards](../cards.md).',
  },
  origin_not_allowed: {
    why: 'A browser sent this request from a page of another site.',
    help: 'Send payers to the `url` of the checkout. Pages of your own must not start payments on our routes.',
  },
  key_refused: {
    why: 'The secret key is missing, malformed, of the other mode, or not known on this host. The `description` says which; unknown, revoked and of the other country read alike.',
    help: 'Send `Authorization: Bearer mkp_…` with the whole key. A key works on the host of its country only. A refused key stays refused for up to a minute. A lost key cannot be shown again: create a new one in the hub.',
  },
  keys_unavailable: {
    why: 'The key service did not answer. Your key may be right.',
    help: retryLater,
  },
  checkout_not_found: {
    why: 'No checkout of your account has this id: the checkout of another account reads the same. On payer routes: there is none, or its merchant cannot be paid on this host.',
    help: 'Check the id and the host: `cs_ke_` belongs to the Kenyan host, `cs_ug_` to the Ugandan. For a handle, the `description` names the country where it is paid.',
  },
  checkout_expired: {
    why: 'The time of the checkout is over and no prompt or card page is open. A checkout lives for 30 minutes.',
    help: 'Read the checkout first: while it is `open`, a payment from the Pay Bill menu is being confirmed, and the payer must not pay again. Once it is `expired`, money may still come, over every rail, above all where `payment.status` is `expired`: warn the payer before another checkout, which needs a new `Idempotency-Key`. Keep the ids of all checkouts of the order, and deliver once per order. If a second one becomes `completed`, write to us for a refund. Do not cancel the order before you have read them once more.',
  },
  checkout_paid: {
    why: 'The checkout is `completed`: the money is there.',
    help: 'Read it with your key, and deliver if you have not.',
  },
  payment_in_progress: {
    why: 'A prompt or a card page of this checkout is still open, or a payment from the Pay Bill menu is being confirmed. A second payment could charge the payer twice.',
    help: 'Wait until it ends, then try again. The payer page does this by itself.',
  },
  idempotency_mismatch: {
    why: 'This `Idempotency-Key` was sent before with other input.',
    help: 'Use one key for one checkout, and the same input whenever you send it again. See [idempotency](../idempotency.md).',
  },
  sign_in_refused: {
    why: 'The username or the password in the hub is wrong, or the codes for a new password. The answer does not say which.',
    help: 'Type all again. Where the password is lost, press *Lost your password?* in the hub.',
  },
  wrong_pin: {
    why: 'The PIN in the hub is wrong.',
    help: 'Type it again with care: after too many wrong tries it is locked for a while.',
  },
  pin_locked: {
    why: 'The PIN was wrong too often.',
    help: 'Wait as many seconds as `Retry-After` says.',
  },
  handle_taken: {
    why: 'Another account or link has this name.',
    help: 'Choose another one.',
  },
  sign_in_required: {
    why: 'The hub does not know this browser, or its session is over.',
    help: 'Sign in.',
  },
  csrf_refused: {
    why: 'A request of the hub did not come from a page of the hub.',
    help: 'Use the hub in its own tab. There is no API for what it does.',
  },
  pin_not_set: {
    why: 'The account has no PIN, and this needs one.',
    help: 'Set a PIN in the hub, under Security.',
  },
  pin_not_proven: {
    why: 'The key service did not accept the proof that the PIN was typed.',
    help: 'Try again. When the code stays, tell us the `request_id`.',
  },
}
