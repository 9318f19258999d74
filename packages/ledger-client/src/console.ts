import type {
  ConsoleRecordKind as WireKind,
  KeepConsoleRecordRequest,
  ListDayReceiptsRequest,
  ReadPaymentRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type Word, wireOf } from '@malipo/contracts/wire-words'
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

export type ConsoleRecordKind = NonNullable<Word<'CONSOLE_RECORD_KIND', WireKind>>

/** A record of the console, by the digest of its token. */
export interface ConsoleRecordName {
  readonly kind: ConsoleRecordKind
  readonly digest: Buffer
}

export type NewConsoleRecord = ConsoleRecordName &
  Readonly<Pick<KeepConsoleRecordRequest, 'body' | 'idleSeconds' | 'lifeSeconds'>>

const nameOf = ({ kind, digest }: ConsoleRecordName) => ({
  kind: wireOf('CONSOLE_RECORD_KIND', kind),
  digest,
})

/** A day of which nothing differs is compared hour by hour to its end, which takes longer than another read may. */
const dayMs = 30_000

/**
 * The ledger's methods for the operators' console: what it shows, in wire types, and the records that it keeps between
 * two requests.
 */
export function consoleCalls({ reads, writes, within }: LedgerConnection) {
  const patient = within(dayMs)
  return {
    listQueue: (limit: number) => reads.listQueue({ limit }),
    findPayments: (search: string, limit: number) => reads.findPayments({ search, limit }),
    readPayment: (payment: ReadPaymentRequest['payment']) => reads.readPayment({ payment }),
    readReceipt: (subject: string) => reads.readReceipt({ subject }),
    readProviderHealth: (minutes: number) => reads.readProviderHealth({ minutes }),
    listReconReports: (limit: number) => reads.listReconReports({ limit }),
    listDayReceipts: (request: ListDayReceiptsRequest) => patient.listDayReceipts(request),
    listActions: (limit: number, beforeAction: bigint | undefined) =>
      reads.listActions({ limit, beforeAction }),
    listOperators: () => reads.listOperators({}),
    async keepConsoleRecord(record: NewConsoleRecord): Promise<void> {
      await writes.keepConsoleRecord({ ...record, ...nameOf(record) })
    },
    readConsoleRecord: async (name: ConsoleRecordName) =>
      (await reads.readConsoleRecord(nameOf(name))).body,
    takeConsoleRecord: async (name: ConsoleRecordName) =>
      (await writes.takeConsoleRecord(nameOf(name))).body,
  }
}
