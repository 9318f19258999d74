import type { Party, PayState } from './state'

/** One change of a request to pay, in virtual time after the change before it. */
export interface Step {
  readonly afterMs: number
  readonly status: PayState['status']
  readonly reason?: Extract<PayState, { status: 'FAILED' }>['reason']
}

/** How long the network needs before it knows the outcome. */
const atOnceMs = 1_000

const fails = (reason: NonNullable<Step['reason']>): readonly Step[] => [
  { afterMs: atOnceMs, status: 'FAILED', reason },
]

/**
 * The numbers that MTN publishes for its sandbox (providers.md 3.8), which have no owner. They work here in every
 * environment, because no Ugandan has one of them. Measured: 46733123454 stays CREATED for some 25 s.
 */
const script: Readonly<Record<string, readonly Step[]>> = {
  '46733123450': fails('INTERNAL_PROCESSING_ERROR'),
  '46733123451': fails('APPROVAL_REJECTED'),
  '46733123452': fails('EXPIRED'),
  '46733123453': [{ afterMs: atOnceMs, status: 'PENDING' }],
  '46733123454': [
    { afterMs: 25_000, status: 'PENDING' },
    { afterMs: 3_000, status: 'SUCCESSFUL' },
  ],
  '46733123455': fails('PAYER_NOT_FOUND'),
  '46733123456': fails('PAYEE_NOT_ALLOWED_TO_RECEIVE'),
  '46733123457': fails('NOT_ALLOWED'),
  '46733123458': fails('NOT_ALLOWED_TARGET_ENVIRONMENT'),
  '46733123459': fails('INVALID_CALLBACK_URL_HOST'),
  '46733123460': fails('INVALID_CURRENCY'),
  '46733123461': fails('INTERNAL_PROCESSING_ERROR'),
  '46733123462': fails('SERVICE_UNAVAILABLE'),
  '46733123463': fails('COULD_NOT_PERFORM_TRANSACTION'),
  '46733123464': fails('TRANSFER_TYPE_UNKNOWN'),
  // MTN's sandbox pays for any other number, as measured with this one. Here any other number needs a phone.
  '56733123453': [{ afterMs: atOnceMs, status: 'SUCCESSFUL' }],
}

/** The steps of a payment by one of these numbers, or by an e-mail address, which always pays; undefined for others. */
export function scriptOf({ partyIdType, partyId }: Party): readonly Step[] | undefined {
  if (partyIdType === 'EMAIL') return [{ afterMs: atOnceMs, status: 'SUCCESSFUL' }]
  return Object.hasOwn(script, partyId) ? script[partyId] : undefined
}

export const sandboxNumbers: readonly string[] = Object.keys(script)
