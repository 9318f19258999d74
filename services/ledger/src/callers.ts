import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import type { Callers } from '@malipo/runtime/caller-identity'

/** Who may call what in the ledger of a country. The other country's gateway and worker are in no row. */
export function ledgerCallers(country: Country): Callers<LedgerServiceServer> {
  const gateway = [`gateway-${country}`] as const
  const worker = [`worker-${country}`] as const
  const auth = ['auth'] as const
  return {
    createCheckout: gateway,
    retrieveCheckout: gateway,
    startIntent: gateway,
    checkWallet: gateway,
    startHandleIntent: gateway,
    startCardIntent: gateway,
    readCardSession: gateway,
    readHandlePayment: gateway,
    readIntent: gateway,
    checkPayBill: gateway,

    // A worker has the provider draw a checkout's QR code.
    readCheckout: [...gateway, ...worker],
    // Each stores its own kinds: `mayStore` in store-provider-message.ts.
    storeProviderMessage: [...gateway, ...worker],

    beginSubmit: worker,
    recordSubmit: worker,
    beginQuery: worker,
    readProviderMessage: worker,
    applyEvidence: worker,
    claimDue: worker,
    beginRefund: worker,
    recordRefund: worker,
    beginRefundQuery: worker,
    beginPayBillRegistration: worker,
    recordPayBillRegistration: worker,
    findStatementRows: worker,
    takeStatementRows: worker,
    readStatementUntil: worker,
    recordStatementRead: worker,
    claimDeliveries: worker,
    beginDelivery: worker,
    recordDelivery: worker,

    openWallet: auth,
    listCheckouts: auth,
    readTimeline: auth,
    readWallet: auth,
    acceptAct: auth,
    listWalletEntries: auth,
    countPayments: auth,
    switchWebhookOn: auth,
    removeWebhook: auth,
    readWebhooks: auth,
    sendTestEvent: auth,
    resendDelivery: auth,
    resendSince: auth,

    ...operatorMethods,
  }
}

/** At a terminal, or in the console. Either only passes on what an operator has signed. */
const operator = ['operator', 'console'] as const

const operatorMethods = {
  listSuspense: operator,
  readReceipt: operator,
  askPlacement: operator,
  decidePlacement: operator,
  askFreezing: operator,
  decideFreezing: operator,
  listReports: operator,
  askReportClosing: operator,
  decideReportClosing: operator,
  enrollOperator: operator,
  decideEnrollment: operator,
  askRetirement: operator,
  decideRetirement: operator,
  listOperators: operator,
  askRefund: operator,
  decideRefund: operator,
  askRefundClosing: operator,
  decideRefundClosing: operator,
  reconcileDay: ['operator'],
  audit: ['operator'],
  listQueue: operator,
  findPayments: operator,
  readPayment: operator,
  readProviderHealth: operator,
  listReconReports: operator,
  listDayReceipts: operator,
  listActions: operator,
} as const satisfies Partial<Callers<LedgerServiceServer>>
