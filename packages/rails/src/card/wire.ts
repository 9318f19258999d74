import { z } from 'zod'

/**
 * The gateway's bodies, as much of them as we keep. An answer names the card in part, its holder and the customer; a
 * shape here names what the payment is about and drops the rest, so that nothing of the payer gets past it.
 */

const word = z.string().max(64)
const amount = z.union([z.string().max(20), z.number()])

export const sessionAnswer = z.object({
  result: z.literal('SUCCESS'),
  session: z.object({ id: z.string().regex(/^[A-Za-z0-9]{1,64}$/) }),
  successIndicator: z.string().regex(/^\w{1,64}$/),
})

export const errorAnswer = z.object({
  result: word.optional(),
  error: z.object({ cause: word, explanation: z.string().default('') }),
})

/** One step of an order: an authentication, a payment, a refund. */
const step = z.object({
  result: word.optional(),
  response: z.object({ gatewayCode: word.optional() }).optional(),
  timeOfRecord: z.iso.datetime().optional().catch(undefined),
  transaction: z.object({
    id: z.string().max(40),
    type: word,
    amount: amount.optional(),
    currency: word.optional(),
    /** The bank's number of the step, which is unique for some days. */
    receipt: word.optional(),
    targetTransactionId: z.string().max(40).optional(),
  }),
})
export type Step = z.output<typeof step>

/** The answer to Retrieve Order. */
export const orderAnswer = z.object({
  id: z.string().max(40),
  status: word,
  result: word.optional(),
  currency: word,
  amount,
  totalAuthorizedAmount: amount.optional(),
  totalCapturedAmount: amount.optional(),
  totalRefundedAmount: amount.optional(),
  lastUpdatedTime: word.optional(),
  // Each card that the payer tries adds steps; the last ones have the outcome.
  transaction: z
    .array(step)
    .default([])
    .transform((steps) => steps.slice(-16)),
})
export type OrderAnswer = z.output<typeof orderAnswer>

/** The answer to VOID and REFUND: the step that they made. */
export const giftAnswer = step

/** A notification of the gateway, in the form of the answer to Retrieve Transaction. */
export const notification = step.extend({
  order: z.object({ id: z.string().max(40), status: word.optional() }),
})

/** The outcome with which a payer's browser returns, in our own words. */
export const returned = z.strictObject({ returned: z.enum(['paid', 'unpaid', 'cancelled']) })
export type Returned = z.output<typeof returned>['returned']
