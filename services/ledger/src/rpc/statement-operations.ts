import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import { applyStatementRows, type ApplyStatementRowsDeps } from './apply-statement-rows'
import { beginPayBillRegistration } from './begin-pay-bill-registration'
import { readStatementUntil } from './read-statement-until'
import { recordPayBillRegistration } from './record-pay-bill-registration'
import { recordStatementRead } from './record-statement-read'
import { storeStatementRows } from './store-statement-rows'

type Method =
  | 'beginPayBillRegistration'
  | 'recordPayBillRegistration'
  | 'storeStatementRows'
  | 'applyStatementRows'
  | 'readStatementUntil'
  | 'recordStatementRead'

/** What a worker reads in a provider's statement, and where the provider is to report. */
export function statementOperations(
  deps: ApplyStatementRowsDeps,
): Pick<Operations<LedgerServiceServer>, Method> {
  return {
    beginPayBillRegistration: beginPayBillRegistration(deps),
    recordPayBillRegistration: recordPayBillRegistration(deps),
    storeStatementRows: storeStatementRows(deps),
    applyStatementRows: applyStatementRows(deps),
    readStatementUntil: readStatementUntil(deps),
    recordStatementRead: recordStatementRead(deps),
  }
}
