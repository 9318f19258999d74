import type { Accounts } from '@malipo/accounts-client/accounts'
import type { Rail as RailName } from '@malipo/kernel/countries'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { CardRail, Rail } from '@malipo/rails/rail'
import type { Announce } from '@malipo/runtime/changes'
import type { Clock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import type { FindPayee } from '../pay-bill/find-payee'
import type { RunQuery } from '../queries/query-places'
import type { PostWebhook } from '../webhooks/post-webhook'

export interface JobDeps {
  readonly ledger: Ledger
  readonly accounts: Pick<Accounts, 'displayName' | 'findWebhookEndpoint'>
  readonly findPayee: FindPayee
  readonly rails: ReadonlyMap<RailName, Rail>
  /** Absent where no cards are taken. */
  readonly card: CardDeps | undefined
  /** The public callback URL, without a trailing slash. */
  readonly callbackBaseUrl: string
  /**
   * Wakes the pages and requests that wait for these checkouts and intents, and has their events delivered to
   * merchants.
   */
  readonly announce: Announce
  /** Wakes pages and requests for an intent that made progress and has not ended: merchants get no event of that. */
  readonly announceProgress: Announce
  readonly postWebhook: PostWebhook
  readonly runQuery: RunQuery
  readonly clock: Clock
  readonly log: Log
}

export interface CardDeps {
  readonly rail: CardRail
  /** The payments host of this country, to which card payers return; no trailing slash. */
  readonly baseUrl: string
  readonly notificationUrl: string
  /** Decrypts the payer's data for the card gateway. */
  readonly cardPayerKey: Buffer
}
