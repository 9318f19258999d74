import { z } from 'zod'

/**
 * MTN moves its partners from one platform to another; for a while both run. A payment can be asked about only on the
 * platform that took it.
 */
export const platformNames = ['legacy', 'new'] as const
export type PlatformName = (typeof platformNames)[number]

export interface MtnMomoSettings {
  /** The key of the Collection product; both platforms accept it. Other products have other keys. */
  readonly subscriptionKey: string
  /** `sandbox` or `mtnuganda`. */
  readonly targetEnvironment: string
  /** The currency of the environment: the sandbox takes euros only, for every country. */
  readonly currency: 'UGX' | 'EUR'
  /** The platform that takes new prompts. */
  readonly platform: PlatformName
  readonly platforms: Readonly<Partial<Record<PlatformName, PlatformSettings | undefined>>>
}

/** A pair of credentials is of one platform, and never works on the other. */
export interface PlatformSettings {
  /** `https://proxy.momoapi.mtn.com`, without a slash at the end. */
  readonly baseUrl: string
  /** The API user, a uuid; or the User ID of the new platform, which is base64. */
  readonly userId: string
  /** The API key, or the Credential Token of the new platform. */
  readonly secret: string
}

const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

const variables = z.object({
  MTN_MOMO_SUBSCRIPTION_KEY: z.string().min(1),
  MTN_MOMO_TARGET_ENVIRONMENT: z.enum(['sandbox', 'mtnuganda']),
  MTN_MOMO_BASE_URL: baseUrl.optional(),
  MTN_MOMO_API_USER: z
    .uuidv4(
      'must be the uuid of the API user: the User ID of the new platform is MTN_MOMO_NEW_USER_ID',
    )
    .optional(),
  MTN_MOMO_API_KEY: z.string().min(1).optional(),
  MTN_MOMO_NEW_BASE_URL: baseUrl.optional(),
  MTN_MOMO_NEW_USER_ID: z
    .base64('must be the base64 User ID of System Credentials in the partner portal, word for word')
    .optional(),
  MTN_MOMO_NEW_CREDENTIAL_TOKEN: z.string().min(1).optional(),
  MTN_MOMO_PLATFORM: z.enum(platformNames).optional(),
})
type Read = z.output<typeof variables>

/** The variables of each platform. Credentials go with a host; a host without credentials is no platform yet. */
const variablesOf = {
  legacy: ['MTN_MOMO_BASE_URL', 'MTN_MOMO_API_USER', 'MTN_MOMO_API_KEY'],
  new: ['MTN_MOMO_NEW_BASE_URL', 'MTN_MOMO_NEW_USER_ID', 'MTN_MOMO_NEW_CREDENTIAL_TOKEN'],
} as const satisfies Record<PlatformName, readonly (keyof Read)[]>

export const mtnMomoVariables = {
  names: Object.keys(variables.shape),
  schema: variables
    .superRefine((read, context) => {
      for (const { path, message } of problemsOf(read)) {
        context.addIssue({ code: 'custom', path: [path], message })
      }
    })
    .transform((read): MtnMomoSettings => {
      const platforms = { legacy: platformOf(read, 'legacy'), new: platformOf(read, 'new') }
      return {
        subscriptionKey: read.MTN_MOMO_SUBSCRIPTION_KEY,
        targetEnvironment: read.MTN_MOMO_TARGET_ENVIRONMENT,
        currency: read.MTN_MOMO_TARGET_ENVIRONMENT === 'sandbox' ? 'EUR' : 'UGX',
        platform: read.MTN_MOMO_PLATFORM ?? (platforms.legacy === undefined ? 'new' : 'legacy'),
        platforms,
      }
    }),
}

interface Problem {
  readonly path: keyof Read
  readonly message: string
}

function problemsOf(read: Read): readonly Problem[] {
  const missing = platformNames.flatMap((platform) => {
    const names = variablesOf[platform]
    return isConfigured(read, platform) ? names.filter((name) => read[name] === undefined) : []
  })
  if (missing.length > 0) {
    return missing.map((path) => ({
      path,
      message: 'is needed: credentials of a platform are whole',
    }))
  }
  const configured = platformNames.filter((platform) => isConfigured(read, platform))
  if (configured.length === 0) {
    const message = 'is needed, with MTN_MOMO_API_KEY; or the pair MTN_MOMO_NEW_…'
    return [{ path: 'MTN_MOMO_API_USER', message }]
  }
  const chosen = read.MTN_MOMO_PLATFORM
  if (configured.length === 2 && chosen === undefined) {
    const message = 'must be legacy or new: both have credentials, and one takes new prompts'
    return [{ path: 'MTN_MOMO_PLATFORM', message }]
  }
  if (chosen !== undefined && !configured.includes(chosen)) {
    const message = `is ${chosen}, which needs ${variablesOf[chosen].join(', ')}`
    return [{ path: 'MTN_MOMO_PLATFORM', message }]
  }
  return []
}

function isConfigured(read: Read, platform: PlatformName): boolean {
  const [, ...credentials] = variablesOf[platform]
  return credentials.some((name) => read[name] !== undefined)
}

function platformOf(read: Read, platform: PlatformName): PlatformSettings | undefined {
  const [baseUrl, userId, secret] = variablesOf[platform].map((name) => read[name])
  if (baseUrl === undefined || userId === undefined || secret === undefined) return undefined
  return { baseUrl, userId, secret }
}
