import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CallClass } from '@malipo/runtime/call-classes'
import type { Operations } from '@malipo/runtime/grpc'

/**
 * How important each method is under overload, and which database pool it uses. What the worker and the callback
 * listener call is settlement; what an operator does by hand about money goes with it.
 */
export const classOfMethod = {
  storeProviderMessage: 'settle',
  readProviderMessage: 'settle',
  applyEvidence: 'settle',
  checkPayBill: 'settle',
  claimDue: 'settle',
  beginSubmit: 'settle',
  recordSubmit: 'settle',
  beginQuery: 'settle',
  beginRefund: 'settle',
  recordRefund: 'settle',
  beginRefundQuery: 'settle',
  beginPayBillRegistration: 'settle',
  recordPayBillRegistration: 'settle',
  findStatementRows: 'settle',
  takeStatementRows: 'settle',
  readStatementUntil: 'settle',
  recordStatementRead: 'settle',
  askPlacement: 'settle',
  decidePlacement: 'settle',
  enrollOperator: 'settle',
  decideEnrollment: 'settle',
  askRetirement: 'settle',
  decideRetirement: 'settle',
  acceptAct: 'settle',
  askFreezing: 'settle',
  decideFreezing: 'settle',
  askReportClosing: 'settle',
  decideReportClosing: 'settle',
  askRefund: 'settle',
  decideRefund: 'settle',
  askRefundClosing: 'settle',
  decideRefundClosing: 'settle',

  startIntent: 'pay',
  startHandleIntent: 'pay',
  startCardIntent: 'pay',

  createCheckout: 'create',
  openWallet: 'create',
  switchWebhookOn: 'create',
  removeWebhook: 'create',
  sendTestEvent: 'create',
  resendDelivery: 'create',
  resendSince: 'create',
  // Webhook deliveries must take no slot of the methods that move money.
  claimDeliveries: 'create',
  beginDelivery: 'create',
  recordDelivery: 'create',

  retrieveCheckout: 'read',
  readCheckout: 'read',
  // A GET of the card page calls it too, and must take no slot of a payment.
  readCardSession: 'read',
  checkWallet: 'read',
  readHandlePayment: 'read',
  readIntent: 'read',
  listCheckouts: 'read',
  readTimeline: 'read',
  readWallet: 'read',
  listWalletEntries: 'read',
  countPayments: 'read',
  readWebhooks: 'read',
  listSuspense: 'read',
  listOperators: 'read',
  listReports: 'read',
  readReceipt: 'read',
  reconcileDay: 'read',
  audit: 'read',
} as const satisfies Readonly<Record<keyof Operations<LedgerServiceServer>, CallClass>>
