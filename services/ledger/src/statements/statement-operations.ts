import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Operations } from '@malipo/runtime/grpc'
import { beginPayBillRegistration } from '../pay-bill/begin-pay-bill-registration'
import { findStatementRows } from './find-statement-rows'
import { readStatementUntil } from './read-statement-until'
import { recordPayBillRegistration } from '../pay-bill/record-pay-bill-registration'
import { recordStatementRead } from './record-statement-read'
import { takeStatementRows, type TakeStatementRowsDeps } from './take-statement-rows'

type Method =
  | 'beginPayBillRegistration'
  | 'recordPayBillRegistration'
  | 'findStatementRows'
  | 'takeStatementRows'
  | 'readStatementUntil'
  | 'recordStatementRead'

/** What a worker reads in a provider's statement, and where the provider is to report. */
export function statementOperations(
  deps: TakeStatementRowsDeps,
): Pick<Operations<LedgerServiceServer>, Method> {
  return {
    beginPayBillRegistration: beginPayBillRegistration(deps),
    recordPayBillRegistration: recordPayBillRegistration(deps),
    findStatementRows: findStatementRows(deps),
    takeStatementRows: takeStatementRows(deps),
    readStatementUntil: readStatementUntil(deps),
    recordStatementRead: recordStatementRead(deps),
  }
}
