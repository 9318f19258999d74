/** A checkout with the API's field names. Amounts are minor units in text: `"150000"` is KES 1,500.00. */
export interface Checkout {
  readonly id: string
  /** The page for the payer. */
  readonly url: string
  /** Deliver the order only when this is `completed`. */
  readonly status: 'open' | 'completed' | 'expired'
  readonly amount: string
  readonly currency: 'KES' | 'UGX'
  readonly reference: string | null
  readonly description: string | null
  readonly return_url: string | null
  /** ISO 8601, UTC. */
  readonly expires_at: string
  readonly created_at: string
  /** The payment that completed the checkout, else the newest payment; null before the first. */
  readonly payment: CheckoutPayment | null
}

export interface CheckoutPayment {
  readonly intent_id: string
  readonly status:
    | 'created'
    | 'reserved'
    | 'submitted'
    | 'pending'
    | 'completed'
    | 'failed'
    | 'expired'
    | 'reversed'
  /** Minor units that were received; null before payment. */
  readonly amount_settled: string | null
  readonly provider_receipt: string | null
  /** Digits with the country code; empty for a card payer who gave none. */
  readonly phone: string
}

/** The input for a new checkout. */
export interface NewCheckout {
  /** Minor units, an integer: `150000` is KES 1,500.00. UGX takes multiples of 100. */
  readonly amount: number
  /** Your own order number, 1 to 64 characters. */
  readonly reference?: string
  /** 1 to 140 characters; the payer sees it. */
  readonly description?: string
  /** https; the payer is redirected here after paying. The redirect does not prove a payment. */
  readonly return_url?: string
  /** 9 to 15 digits with the country code; prefills the phone field of the page. */
  readonly phone?: string
}
