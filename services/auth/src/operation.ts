import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Country } from '@malipo/kernel/countries'
import type { Keys } from '@malipo/keys-client/keys'
import type { CellLedgers } from '@malipo/ledger-client/ledger'
import type { ClientAddress } from '@malipo/runtime/client-address'
import type { Clock } from '@malipo/runtime/clock'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { Request } from 'express'
import type { Caller } from './audit/rules/audit'
import type { CredentialHasher } from './credentials/store/credential-hash'
import type { Database } from './database/database'
import type { LimitVisits } from './hub-server/limit-visits'
import type { ProvePin } from './keys/prove-pin'
import type { OpenWallet } from './wallets/open-wallets'
import type { WebhookSecrets } from './webhooks/store/webhook-secrets'

/** The function that answers a method of the accounts service. */
export type AccountOperation<Method extends keyof Operations<AccountServiceServer>> =
  Operations<AccountServiceServer>[Method]

/** The dependencies of the operations of the accounts service. */
export interface Accounts {
  readonly db: Database
  readonly hasher: CredentialHasher
  readonly ledgers: CellLedgers
  readonly webhookSecrets: WebhookSecrets
}

/** The dependencies of the operations of the hub. */
export interface Hub extends Accounts {
  readonly log: Log
  readonly keys: Keys
  readonly provePin: ProvePin
  readonly openWallet: OpenWallet
  readonly paymentsUrls: Readonly<Record<Country, string>>
  /** The origin of the hub's pages, which alone may call its routes. */
  readonly origin: string
  readonly clientAddress: ClientAddress
  readonly callerOf: (request: Request) => Caller
  readonly limitVisits: LimitVisits
  readonly clock: Clock
}
