import type { Country } from '@malipo/kernel/countries'

/** What everybody may know of an account. */
export interface Account {
  readonly accountId: string
  readonly username: string
  readonly displayName: string
  readonly homeCountry: Country
  readonly profileImageUrl?: string
}

export const themes = ['light', 'dark', 'sunset', 'ocean', 'forest'] as const
export type Theme = (typeof themes)[number]

export interface SocialLink {
  /** A word such as `instagram`; the page has an icon for those it knows. */
  readonly platform: string
  readonly url: string
}

/** What an account shows on its profile. */
export interface Profile {
  readonly account: Account
  readonly bio: string
  readonly theme: Theme
  readonly coverImageUrl?: string
  /** What the owner says. Whether the wallet can take money this minute only the ledger knows. */
  readonly acceptsPayments: boolean
  readonly socialLinks: readonly SocialLink[]
}
