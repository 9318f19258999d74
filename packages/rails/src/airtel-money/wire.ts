import { z } from 'zod'

/**
 * Airtel's bodies as they come, no stricter than the provider is (providers.md 4). Its portal is behind a login, so
 * the shapes rest on transcriptions, and nothing is required that we do not need.
 */

const publicKey = z.object({
  key: z.string().min(1).max(4_096),
  /** `12-08-2024 21:29:26` in the one sample that was printed. */
  valid_upto: z.string().nullish(),
})

/** The key of the application: under `data` in the portal's sample, at the top on the host of Uganda (README.md). */
export const keyAnswer = z.union([
  z.object({ data: publicKey }).transform(({ data }) => data),
  publicKey,
])

const code = z
  .union([z.string().max(64), z.number()])
  .nullish()
  .transform((word) => String(word ?? ''))

/** The envelope of every answer. Three layers may answer: product (DP…), service (ESB…) and gateway (ROUTER…). */
export const answer = z.object({
  status: z.object({
    success: z.boolean().default(false),
    message: z.string().default(''),
    response_code: code,
    result_code: code,
    code,
  }),
})

export type Answer = z.output<typeof answer>

const moneyId = z
  .string()
  .max(128)
  .nullish()
  .transform((id) => id ?? '')

/** The answer to an enquiry. `status.success` may be true although the payment has failed. */
export const enquiry = z.object({
  data: z.object({
    transaction: z.object({
      /** The id that we gave the payment. */
      id: code,
      status: z.string().min(1).max(64),
      /** The receipt. Only a payment that was made is sure to have one. */
      airtel_money_id: moneyId,
    }),
  }),
  status: z.object({ response_code: code }).optional(),
})

/** Here `airtel_money_id` is the receipt of the refund, not of the payment. */
export const refundAnswer = answer.extend({
  data: z.object({
    transaction: z.object({ status: z.string(), airtel_money_id: z.string().min(1).max(64) }),
  }),
})

/** A callback has `status_code` where an enquiry has `status`, and it has no amount. */
export const callback = z.object({
  transaction: z.object({
    id: z.string().min(1).max(128),
    status_code: z.string().min(1).max(64),
    airtel_money_id: moneyId,
  }),
})

/** A callback with its signature. `transaction` keeps unknown fields, because all of it is signed. */
export const signedCallback = z.object({
  transaction: z.looseObject({}),
  hash: z.string().optional(),
})
