import { z } from 'zod'

export interface MtnMomoSettings {
  /** `https://proxy.momoapi.mtn.com`, without a slash at the end. */
  readonly baseUrl: string
  /** Of the Collection product: each product has its own. */
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
  /** `sandbox` or `mtnuganda`. */
  readonly targetEnvironment: string
  /** What the environment pays in: the sandbox takes euros only, whatever country one means. */
  readonly currency: 'UGX' | 'EUR'
}

const variables = z.object({
  MTN_MOMO_BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  MTN_MOMO_SUBSCRIPTION_KEY: z.string().min(1),
  MTN_MOMO_API_USER: z.uuidv4(),
  MTN_MOMO_API_KEY: z.string().min(1),
  MTN_MOMO_TARGET_ENVIRONMENT: z.enum(['sandbox', 'mtnuganda']),
})

/** The rail's part of a process's environment. */
export const mtnMomoVariables = {
  names: Object.keys(variables.shape),
  schema: variables.transform((read): MtnMomoSettings => ({
    baseUrl: read.MTN_MOMO_BASE_URL,
    subscriptionKey: read.MTN_MOMO_SUBSCRIPTION_KEY,
    apiUser: read.MTN_MOMO_API_USER,
    apiKey: read.MTN_MOMO_API_KEY,
    targetEnvironment: read.MTN_MOMO_TARGET_ENVIRONMENT,
    currency: read.MTN_MOMO_TARGET_ENVIRONMENT === 'sandbox' ? 'EUR' : 'UGX',
  })),
}
