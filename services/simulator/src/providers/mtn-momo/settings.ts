/** The one partner of the simulated MTN: its subscription, an API user made by hand, and how MTN calls it back. */
export interface MtnMomoSettings {
  readonly subscriptionKey: string
  /** The API user that a partner has in production. The provisioning calls make further ones, for the sandbox. */
  readonly apiUser: string
  readonly apiKey: string
  readonly targetEnvironment: TargetEnvironment
  /** The one host that the API user may be called back on. */
  readonly callbackHost: string
  /** What the payer reads on the prompt. */
  readonly businessName: string
  readonly callbackPolicy: CallbackPolicy
  readonly callbackMethod: CallbackMethod
  /** Credentials of the platform that MTN moves its partners to; without them that platform is not simulated. */
  readonly newPlatform?: NewPlatform | undefined
}

export interface NewPlatform {
  /** Base64, from the partner portal: no uuid. */
  readonly userId: string
  readonly credentialToken: string
}

/** The currency of each MTN environment. */
export const currencies = { sandbox: 'EUR', mtnuganda: 'UGX' } as const
export type TargetEnvironment = keyof typeof currencies

/** Whether a failed callback is repeated: two pages of MTN contradict each other (providers.md, fact 8). */
export const callbackPolicies = ['once', 'retried'] as const
export type CallbackPolicy = (typeof callbackPolicies)[number]

/** MTN says to allow both methods; `either` draws one for each payment from the seed. */
export const callbackMethods = ['PUT', 'POST', 'either'] as const
export type CallbackMethod = (typeof callbackMethods)[number]
