import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'

/** The public fields of an account. */
export interface Account {
  readonly accountId: string
  readonly username: string
  readonly displayName: string
  readonly homeCountry: Country
  /** The cell of its home country whose ledger holds its money. */
  readonly cell: Cell
  readonly profileImageUrl?: string
}

export const themes = ['light', 'dark', 'sunset', 'ocean', 'forest'] as const
export type Theme = (typeof themes)[number]

export interface SocialLink {
  /** A name such as `instagram`; the page has an icon for known names. */
  readonly platform: string
  readonly url: string
}

export interface Profile {
  readonly account: Account
  readonly bio: string
  readonly theme: Theme
  readonly coverImageUrl?: string
  /** The owner's setting. Only the ledger knows whether the wallet can take money now. */
  readonly acceptsPayments: boolean
  readonly socialLinks: readonly SocialLink[]
}
