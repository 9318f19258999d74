import type {
  ListDayReceiptsRequest,
  ReadPaymentRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { LedgerConnection } from './connection'

export type {
  DayReceipt,
  FoundPayment,
  LoggedAction,
  Operator,
  OperatorAction,
  PaymentEvent,
  PaymentEventKind,
  Placement,
  ProviderHealth,
  QueueItem,
  QueueKind,
  QueueTotal,
  ReadPaymentResponse,
  ReadReceiptResponse,
  ReceiptTransfer,
  ReconReport,
  Refund,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'

/** What the operators' console shows, as it is on the wire. */
export function consoleCalls({ reads }: LedgerConnection) {
  return {
    listQueue: (limit: number) => reads.listQueue({ limit }),
    findPayments: (search: string, limit: number) => reads.findPayments({ search, limit }),
    readPayment: (payment: ReadPaymentRequest['payment']) => reads.readPayment({ payment }),
    readReceipt: (subject: string) => reads.readReceipt({ subject }),
    readProviderHealth: (minutes: number) => reads.readProviderHealth({ minutes }),
    listReconReports: (limit: number) => reads.listReconReports({ limit }),
    listDayReceipts: (request: ListDayReceiptsRequest) => reads.listDayReceipts(request),
    listActions: (limit: number, beforeAction: bigint | undefined) =>
      reads.listActions({ limit, beforeAction }),
    listOperators: () => reads.listOperators({}),
  }
}
