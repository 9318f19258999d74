import { z } from 'zod'

/**
 * MTN's bodies as they come, no stricter than the provider is (providers.md 3): the portal's samples and its schema
 * disagree on numbers and strings, and on what a reason is; fields are absent until they have something to say.
 */

/** `{message, code}` of MTN, or `{statusCode, message}` of the gateway in front of it. */
export const errorAnswer = z.union([
  z
    .object({ code: z.string().min(1).max(64), message: z.string().default('') })
    .transform(({ code, message }) => ({ code, message })),
  z
    .object({ statusCode: z.number(), message: z.string().default('') })
    .transform(({ statusCode, message }) => ({ code: String(statusCode), message })),
])

/** A word, as in MTN's sample, or `{code, message}`, as in its schema. */
const reason = z.union([
  z.string().max(128),
  z.object({ code: z.string().max(128) }).transform(({ code }) => code),
])

const id = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((word) => String(word ?? ''))

/** How a request to pay stands: the same body in a status answer and in a callback. */
export const transaction = z.object({
  status: z.string().min(1).max(64),
  amount: z.union([z.string(), z.number()]).transform(String),
  currency: z.string(),
  /** The receipt. Absent until the payment is made. */
  financialTransactionId: id,
  /** Our reference of the attempt. */
  externalId: id,
  reason: reason.nullish().transform((word) => word ?? ''),
})

/** The answers of the provisioning API, which the sandbox alone has. */
export const createdKey = z.object({ apiKey: z.string().min(1) })
export const createdUser = z.object({ targetEnvironment: z.string().min(1) })
