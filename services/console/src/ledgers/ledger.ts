import {
  LedgerServiceClient,
  LedgerServiceService,
  type ListActionsResponse,
  type ListDayReceiptsRequest,
  type ListDayReceiptsResponse,
  type ListOperatorsResponse,
  type ListQueueResponse,
  type ListReconReportsResponse,
  type FindPaymentsResponse,
  type ReadPaymentRequest,
  type ReadPaymentResponse,
  type ReadProviderHealthResponse,
  type ReadReceiptResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { systemClock } from '@malipo/runtime/clock'
import { type Call, clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import { NotSigned, whyNotSigned, writeAct } from '@malipo/runtime/operator-calls'
import type { SignedAct } from '@malipo/runtime/operator-signature'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'

/** A person waits for the page; the ledger's own statement timeout is two seconds. */
const readMs = 5_000
const actMs = 10_000
const readyMs = 2_000

/** An act's answer: its outcome, as the ledger writes it, and the id of what it made. */
export interface ActAnswer {
  readonly outcome: string
  readonly id: string | undefined
}

/** The console's calls to the ledger of one country. It reads, and passes on what operators have signed. */
export type Ledger = ReturnType<typeof openLedger>

export function openLedger(options: {
  readonly country: Country
  readonly address: string
  readonly identity: TlsIdentity
}) {
  const { country } = options
  const client = new LedgerServiceClient(
    options.address,
    options.identity.channel,
    clientOptionsTo(`ledger-${country}`),
  )
  const call = openCall('ledger_unavailable')
  return {
    country,
    ...readCalls(client, call),

    /** Passes on an act as it was signed: the bytes stay what the signature covers. Throws NotSigned. */
    async relay(method: string, act: SignedAct): Promise<ActAnswer> {
      const definition = Object.values(LedgerServiceService).find(({ path }) => path === method)
      if (definition === undefined) throw new Error(`the ledger has no method ${method}`)
      const answer = await call<object>(actMs, (given, callOptions, done) => {
        const metadata = given.clone()
        writeAct(metadata, act)
        return client.makeUnaryRequest<Buffer, object>(
          method,
          (bytes) => bytes,
          (bytes) => definition.responseDeserialize(bytes),
          act.request,
          metadata,
          callOptions,
          (error, response) => {
            done(error, response ?? {})
          },
        )
      }).catch((error: unknown) => {
        const because = whyNotSigned(error)
        throw because === undefined ? error : new NotSigned(because)
      })
      return answerOf(answer)
    },

    async check(): Promise<void> {
      await new Promise<void>((resolve, reject) => {
        client.waitForReady(systemClock.now() + readyMs, (error) => {
          if (error === undefined) resolve()
          else reject(error)
        })
      })
    },

    close: () => {
      client.close()
    },
  }
}

/** What the pages show. */
function readCalls(client: LedgerServiceClient, call: Call) {
  return {
    listQueue: (limit: number) =>
      call<ListQueueResponse>(readMs, (...rest) => client.listQueue({ limit }, ...rest)),
    findPayments: (search: string, limit: number) =>
      call<FindPaymentsResponse>(readMs, (...rest) =>
        client.findPayments({ search, limit }, ...rest),
      ),
    readPayment: (payment: ReadPaymentRequest['payment']) =>
      call<ReadPaymentResponse>(readMs, (...rest) => client.readPayment({ payment }, ...rest)),
    readReceipt: (subject: string) =>
      call<ReadReceiptResponse>(readMs, (...rest) => client.readReceipt({ subject }, ...rest)),
    readProviderHealth: (minutes: number) =>
      call<ReadProviderHealthResponse>(readMs, (...rest) =>
        client.readProviderHealth({ minutes }, ...rest),
      ),
    listReconReports: (limit: number) =>
      call<ListReconReportsResponse>(readMs, (...rest) =>
        client.listReconReports({ limit }, ...rest),
      ),
    listDayReceipts: (request: ListDayReceiptsRequest) =>
      call<ListDayReceiptsResponse>(readMs, (...rest) => client.listDayReceipts(request, ...rest)),
    listActions: (limit: number, beforeAction: bigint | undefined) =>
      call<ListActionsResponse>(readMs, (...rest) =>
        client.listActions({ limit, beforeAction }, ...rest),
      ),
    listOperators: () =>
      call<ListOperatorsResponse>(readMs, (...rest) => client.listOperators({}, ...rest)),
  }
}

export type Ledgers = Readonly<Record<Country, Ledger>>

/** Every answer to an act has an outcome, and at most one id of what was asked for. */
function answerOf(answer: object): ActAnswer {
  const fields = Object.entries(answer).filter(([, value]) => typeof value === 'string')
  const outcome = fields.find(([name]) => name === 'outcome')?.[1] as string | undefined
  const id = fields.find(([name]) => name.endsWith('Id'))?.[1] as string | undefined
  return { outcome: (outcome ?? '').replace(/^.*_OUTCOME_/, '').toLowerCase(), id }
}
