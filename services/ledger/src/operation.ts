import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import type { FindCheckout } from './checkouts/store/checkouts'
import type { Config } from './config'
import type { SharedDatabase } from './database/database'
import type { NewIds } from './database/ids'
import type { PromptWatch } from './intents/watch-prompts'
import type { Acts } from './operators/signed'
import type { PayBillTrust } from './pay-bill/read-pay-bill-paid'
import type { PayBillNumbers } from './pay-bill/store/pay-bill-numbers'

export type Operation<Method extends keyof Operations<LedgerServiceServer>> =
  Operations<LedgerServiceServer>[Method]

type Times = 'promptTimes' | 'queryEverySeconds' | 'cardQueryAfterSeconds' | 'reportHoldSeconds'

/** What every operation is made with. */
export interface Ledger extends Pick<Config, 'country' | 'rails' | Times> {
  /** The database of the operation's call class. */
  readonly db: SharedDatabase['db']
  readonly pool: SharedDatabase['pool']
  /** One connection for operations that read much, so that they take none from payments. */
  readonly beside: SharedDatabase['db']
  /** A standby of the database, where there is one. */
  readonly standby: SharedDatabase['db'] | undefined
  readonly newIds: NewIds
  readonly acts: Acts
  readonly log: Log
  readonly promptWatch: PromptWatch
  readonly findCheckout: FindCheckout
  readonly lifeSeconds: number
  readonly startSeconds: number
  readonly sessionSeconds: number
  /** A status query's "no" counts only this long after the prompt was sent, unless a hint has reported it as declined. */
  readonly denyAfterSeconds: number
  readonly unconfirmedMaxMinor: bigint
  /** Absent where no cards are taken. */
  readonly cardFeeBps: bigint | undefined
  /**
   * True where M-PESA takes whole shillings only: payers are then asked for them on all rails, as a page shows one
   * amount.
   */
  readonly wholeMajorsOnly: boolean
  readonly payBill: PayBillTrust
  /** Absent where there is no Pay Bill menu. */
  readonly payBillNumbers: PayBillNumbers | undefined
}
