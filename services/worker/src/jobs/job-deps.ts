import type { Rail as RailName } from '@malipo/kernel/countries'
import type { CardRail, Rail } from '@malipo/rails/rail'
import type { Announce } from '@malipo/runtime/changes'
import type { Clock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import type { Accounts } from '../clients/accounts'
import type { Ledger } from '../clients/ledger'
import type { PostWebhook } from '../clients/post-webhook'

/** What a job is given to work with. */
export interface JobDeps {
  readonly ledger: Ledger
  readonly accounts: Pick<Accounts, 'findPayee' | 'displayName' | 'findWebhookEndpoint'>
  /** The rails that are on. */
  readonly rails: ReadonlyMap<RailName, Rail>
  /** Absent where no cards are taken. */
  readonly card: CardDeps | undefined
  /** Where providers reach us, without a slash at the end. */
  readonly callbackBaseUrl: string
  /** Announces that the ledger has committed something about these checkouts and intents. */
  readonly announce: Announce
  readonly postWebhook: PostWebhook
  readonly clock: Clock
  readonly log: Log
}

export interface CardDeps {
  readonly rail: CardRail
  /** The payments host of this country, where payers come back to; without a slash at the end. */
  readonly baseUrl: string
  readonly notificationUrl: string
  /** Decrypts what payers gave for the card gateway. */
  readonly cardPayerKey: Buffer
}
