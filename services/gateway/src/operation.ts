import type { CountryRules } from '@malipo/kernel/countries'
import type { ClientAddress } from '@malipo/runtime/client-address'
import type { Clock } from '@malipo/runtime/clock'
import type { Cells } from './cells/open-cells'
import type { LimitAddress, LimitRate } from './limits/limit-rate'
import type { Authenticate } from './merchant/authenticate'
import type { Waits } from './merchant/await-change'
import type { LoadCheckout } from './pages/load-checkout'
import type { LoadHandle } from './pages/load-handle'
import type { AllowOrigin, CheckOrigin } from './payer/allow-origin'
import type { FindPayee, LoadPayee } from './payer/load-payee'
import type { AwaitCardPage, StartCardPayment } from './payer/start-card-payment'
import type { StartHandlePayment, StartPayment } from './payer/start-payment'

/** What the operations of a gateway work with. `src/start.ts` opens all of it once. */
export interface Gateway
  extends
    Pick<Cells, 'ledger' | 'readJobs' | 'changes' | 'qrOf' | 'businessNumberOf'>,
    Pick<Waits, 'awaitChange'> {
  readonly rules: CountryRules
  readonly clock: Clock
  /** The address of this host, and its origin. */
  readonly baseUrl: string
  readonly origin: string
  /** Undefined where no card gateway is configured. */
  readonly cardBaseUrl: string | undefined
  readonly authenticate: Authenticate
  readonly clientAddress: ClientAddress
  readonly limitRate: LimitRate
  readonly limitAddress: LimitAddress
  readonly allowOrigin: AllowOrigin
  readonly checkOrigin: CheckOrigin
  readonly loadCheckout: LoadCheckout
  readonly loadHandle: LoadHandle
  readonly loadPayee: LoadPayee
  readonly findPayee: FindPayee
  readonly startPayment: StartPayment
  readonly startHandlePayment: StartHandlePayment
  readonly startCardPayment: StartCardPayment
  readonly awaitCardPage: AwaitCardPage
}
