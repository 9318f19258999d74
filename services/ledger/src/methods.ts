import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import type { CallClass } from '@malipo/runtime/call-classes'
import type { Caller, Callers } from '@malipo/runtime/caller-identity'
import type { Operations } from '@malipo/runtime/grpc'

type Methods = Operations<LedgerServiceServer>
type Process = 'gateway' | 'worker' | 'auth' | 'operator' | 'console'

const gateway = ['gateway'] as const
const worker = ['worker'] as const
const gatewayAndWorker = ['gateway', 'worker'] as const
const auth = ['auth'] as const
/** The command `operate` and the console. They read without a signature, and pass on acts that operators signed. */
const operator = ['operator', 'console'] as const
const terminal = ['operator'] as const

/**
 * Each method with its class and its callers. The class decides how important a call is under overload and which database
 * pool it uses. What the worker and the callback listener do for a payment is `settle`, and so are the acts of operators.
 */
const methods: Readonly<Record<keyof Methods, readonly [CallClass, readonly Process[]]>> = {
  createCheckout: ['create', gateway],
  retrieveCheckout: ['read', gateway],
  startIntent: ['pay', gateway],
  checkWallet: ['read', gateway],
  startHandleIntent: ['pay', gateway],
  startCardIntent: ['pay', gateway],
  // A GET of the card page calls it too, and must take no slot of a payment.
  readCardSession: ['read', gateway],
  readHandlePayment: ['read', gateway],
  readIntent: ['read', gateway],
  checkPayBill: ['settle', gateway],
  // A worker reads a checkout too, when it has the provider draw the QR code.
  readCheckout: ['read', gatewayAndWorker],
  // Gateway and worker may each store other kinds of messages: `mayStore` in store-provider-message.ts.
  storeProviderMessage: ['settle', gatewayAndWorker],
  beginSubmit: ['settle', worker],
  recordSubmit: ['settle', worker],
  beginQuery: ['settle', worker],
  readProviderMessage: ['settle', worker],
  applyEvidence: ['settle', worker],
  claimDue: ['settle', worker],
  beginRefund: ['settle', worker],
  recordRefund: ['settle', worker],
  beginRefundQuery: ['settle', worker],
  beginPayBillRegistration: ['settle', worker],
  recordPayBillRegistration: ['settle', worker],
  findStatementRows: ['settle', worker],
  takeStatementRows: ['settle', worker],
  readStatementUntil: ['settle', worker],
  recordStatementRead: ['settle', worker],
  // Webhook deliveries must take no slot of the methods that move money.
  claimDeliveries: ['create', worker],
  beginDelivery: ['create', worker],
  recordDelivery: ['create', worker],
  openWallet: ['create', auth],
  listCheckouts: ['read', auth],
  readTimeline: ['read', auth],
  readWallet: ['read', auth],
  acceptAct: ['settle', auth],
  listWalletEntries: ['read', auth],
  countPayments: ['read', auth],
  switchWebhookOn: ['create', auth],
  removeWebhook: ['create', auth],
  readWebhooks: ['read', auth],
  sendTestEvent: ['create', auth],
  resendDelivery: ['create', auth],
  resendSince: ['create', auth],
  listSuspense: ['read', operator],
  readReceipt: ['read', operator],
  askPlacement: ['settle', operator],
  decidePlacement: ['settle', operator],
  askFreezing: ['settle', operator],
  decideFreezing: ['settle', operator],
  switchCards: ['settle', terminal],
  listReports: ['read', operator],
  askReportClosing: ['settle', operator],
  decideReportClosing: ['settle', operator],
  askReportPosting: ['settle', operator],
  decideReportPosting: ['settle', operator],
  enrollOperator: ['settle', operator],
  decideEnrollment: ['settle', operator],
  askRetirement: ['settle', operator],
  decideRetirement: ['settle', operator],
  listOperators: ['read', operator],
  askRefund: ['settle', operator],
  decideRefund: ['settle', operator],
  askRefundClosing: ['settle', operator],
  decideRefundClosing: ['settle', operator],
  reconcileDay: ['read', terminal],
  audit: ['read', terminal],
  listQueue: ['read', operator],
  // Operators sign in also while payments are refused.
  keepConsoleRecord: ['settle', ['console']],
  readConsoleRecord: ['settle', ['console']],
  takeConsoleRecord: ['settle', ['console']],
  findPayments: ['read', operator],
  readPayment: ['read', operator],
  readProviderHealth: ['read', operator],
  listReconReports: ['read', operator],
  listDayReceipts: ['read', operator],
  listActions: ['read', operator],
}

function ofEach<Value>(
  of: (row: (typeof methods)[keyof Methods]) => Value,
): Readonly<Record<keyof Methods, Value>> {
  const values = Object.entries(methods).map(([name, row]) => [name, of(row)])
  return Object.fromEntries(values) as Record<keyof Methods, Value>
}

export const classOfMethod = ofEach(([callClass]) => callClass)

/** Who may call what in the ledger of a country. The other country's gateway and worker are in no row. */
export function ledgerCallers(country: Country): Callers<LedgerServiceServer> {
  const nameOf = (process: Process): Caller =>
    process === 'gateway' || process === 'worker' ? `${process}-${country}` : process
  return ofEach(([, callers]) => callers.map(nameOf))
}
