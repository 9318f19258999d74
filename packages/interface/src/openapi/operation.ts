import type { Reason } from '@malipo/kernel/errors'
import type { z } from 'zod'

/** One operation of the public interface, as its document describes it. */
export interface Operation {
  /** The name of the operation in a generated client. */
  readonly id: string
  readonly method: 'get' | 'post'
  /** In the style of OpenAPI: `/v1/payments/public/intents/{id}`. */
  readonly path: string
  /** Says also where the operation is: those of `Profile` on the auth host, all others on the payments host. */
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  /** The parameter in the path, if there is one; no path has two. */
  readonly place?: Place
  readonly idempotencyKey?: 'optional' | 'required'
  /** Whether a request may ask to be answered at the next change (`Prefer: wait=N`). */
  readonly mayWait?: true
  readonly body?: Body
  readonly answers: readonly Answer[]
  /** In the order of the checks, except for services that do not answer. `internal` is added to every operation. */
  readonly refusals: readonly Reason[]
}

export type Tag = keyof typeof tags

export const tags = {
  Merchant: 'For the server of a merchant, with its secret key. Never from a browser or an app.',
  Payer: 'For the pages of payers, without a key.',
  Profile: 'On the auth host.',
} as const

export interface Place {
  readonly name: string
  readonly schema: z.ZodType
  readonly example: string
  /** What the value must be: the description of the parameter, and the message that refuses another value. */
  readonly rule: string
}

export interface Body {
  readonly schema: z.ZodType
  /** Whether a request may come without a body. */
  readonly isOptional?: true
  readonly example: object
}

export interface Answer {
  readonly status: 200 | 201 | 202
  /** The `description` of the answer's envelope, exactly as a service sends it. */
  readonly description: string
  readonly when: string
  readonly data: DataName
  readonly example: object
  /** Whether `Idempotency-Replayed: true` may come with it. */
  readonly mayBeReplay?: true
}

/** The only answer of an operation that reads. */
export function found(
  data: DataName,
  example: object,
  texts: Pick<Answer, 'description' | 'when'>,
): readonly Answer[] {
  return [{ status: 200, ...texts, data, example }]
}

export type DataName =
  | 'MerchantCheckout'
  | 'PayerCheckout'
  | 'StartedPayment'
  | 'CardPayment'
  | 'Intent'
  | 'ResolvedHandle'
  | 'Profile'
