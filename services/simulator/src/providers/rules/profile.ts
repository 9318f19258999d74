/**
 * How strictly a provider is simulated: `strict` takes only what the provider documents, `as-observed` also what its
 * hosts have been seen to take.
 */
export const profiles = ['strict', 'as-observed'] as const
export type Profile = (typeof profiles)[number]

export interface ProfileRule {
  readonly provider: string
  /** The part of a request that the two profiles treat differently. */
  readonly about: string
  readonly strict: string
  readonly asObserved: string
  /** The source of `asObserved`: a document, or public code that works. */
  readonly source: string
}

/** The differences between the two profiles. The code of the provider checks the profile at each of them. */
export const profileRules: readonly ProfileRule[] = [
  {
    provider: 'mpesa',
    about: 'TransactionDesc',
    strict: '1 to 13 characters',
    asObserved: '1 to 100 characters',
    source:
      'Daraja portal (13); osen-wc-mpesa sends 19 and mpesa-node 20: github.com/osenco/osen-wc-mpesa src/Mpesa/STK.php, npm mpesa-node README',
  },
  {
    provider: 'mpesa',
    about: 'spaces around TransactionType',
    strict: 'refused',
    asObserved: 'taken',
    source: 'npm mpesa-api 3.0.2, whose default is "CustomerPayBillOnline "',
  },
  {
    provider: 'mpesa',
    about: 'words such as "mpesa" in CallBackURL, ResultURL and QueueTimeOutURL',
    strict: 'refused, as in the addresses that C2B is registered with',
    asObserved: 'taken',
    source:
      'Daraja portal, "Customer To Business Register URL", which alone lists them; safaricom/LNMOnlineAndroidSample#40, whose address "/api/mpesa_response/" works',
  },
  {
    provider: 'card',
    about: 'API version',
    strict: 'CARD_API_VERSION alone',
    asObserved: 'every version from 60 on',
    source:
      'Mastercard Gateway API reference, "Versions"; github.com/fingent-corp/gateway-woocommerce-mastercard-module names 73 and 100',
  },
  {
    provider: 'card',
    about: 'order.amount',
    strict: 'text with all decimals of its currency',
    asObserved: 'a number, or text with fewer decimals, too',
    source:
      'github.com/fingent-corp/gateway-woocommerce-mastercard-module src/Helper/CheckoutBuilder.php formattedPrice, which sends a JSON number',
  },
  {
    provider: 'card',
    about: 'order.currency',
    strict: 'KES and UGX, which the bank of this merchant takes',
    asObserved: 'USD too',
    source: 'currencies are those of the acquirer; shops in Kenya and Uganda price in USD',
  },
  {
    provider: 'card',
    about: 'interaction.returnUrl',
    strict: 'required',
    asObserved: 'may be absent: checkout.min.js leads the payer back',
    source: 'Mastercard Gateway, "Hosted Checkout integration guide": its sample has none',
  },
]
