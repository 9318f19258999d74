import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Config } from '../config'
import type { Database } from '../database/database'
import { findPayments } from './find-payments'
import { listActions } from './list-actions'
import { listDayReceipts } from './list-day-receipts'
import { listQueue } from './list-queue'
import { listReconReports } from './list-recon-reports'
import { readPayment } from './read-payment'
import { readProviderHealth } from './read-provider-health'

/** What the operators' console shows. */
export function consoleOperations(
  db: Database,
  { country, rails }: Pick<Config, 'country' | 'rails'>,
) {
  return {
    listQueue: listQueue({ db, country }),
    findPayments: findPayments({ db, country }),
    readPayment: readPayment({ db, country }),
    readProviderHealth: readProviderHealth({ db, rails: [...rails, ...payBill[country.country]] }),
    listReconReports: listReconReports({ db }),
    listDayReceipts: listDayReceipts({ db }),
    listActions: listActions({ db }),
  } satisfies Partial<Operations<LedgerServiceServer>>
}

/** Kenya's payers also pay from the menu of M-PESA. */
const payBill = { ke: ['paybill'], ug: [] } as const
