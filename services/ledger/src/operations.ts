import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CallClass } from '@malipo/runtime/call-classes'
import type { Operations } from '@malipo/runtime/grpc'
import { audit } from './audit/audit'
import { readCardSession } from './cards/read-card-session'
import { startCardIntent } from './cards/start-card-intent'
import { countPayments } from './checkouts/count-payments'
import { createCheckout } from './checkouts/create-checkout'
import { listCheckouts } from './checkouts/list-checkouts'
import { readCheckout } from './checkouts/read-checkout'
import { readTimeline } from './checkouts/read-timeline'
import { retrieveCheckout } from './checkouts/retrieve-checkout'
import { findPayments } from './console/find-payments'
import { keepConsoleRecord } from './console/keep-console-record'
import { listActions } from './console/list-actions'
import { listDayReceipts } from './console/list-day-receipts'
import { listQueue } from './console/list-queue'
import { listReconReports } from './console/list-recon-reports'
import { readConsoleRecord } from './console/read-console-record'
import { readPayment } from './console/read-payment'
import { readProviderHealth } from './console/read-provider-health'
import { takeConsoleRecord } from './console/take-console-record'
import { applyEvidence } from './evidence/apply-evidence'
import { readProviderMessage } from './evidence/read-provider-message'
import { storeProviderMessage } from './evidence/store-provider-message'
import { askFreezing } from './freezes/ask-freezing'
import { decideFreezing } from './freezes/decide-freezing'
import { readHandlePayment } from './handles/read-handle-payment'
import { startHandleIntent } from './handles/start-handle-intent'
import { beginQuery } from './intents/begin-query'
import { beginSubmit } from './intents/begin-submit'
import { claimDue } from './intents/claim-due'
import { readIntent } from './intents/read-intent'
import { recordSubmit } from './intents/record-submit'
import { startIntent } from './intents/start-intent'
import { readReceipt } from './journal/read-receipt'
import { acceptAct } from './operators/accept-act'
import { askRetirement } from './operators/ask-retirement'
import { decideEnrollment } from './operators/decide-enrollment'
import { decideRetirement } from './operators/decide-retirement'
import { enrollOperator } from './operators/enroll-operator'
import { listOperators } from './operators/list-operators'
import { beginPayBillRegistration } from './pay-bill/begin-pay-bill-registration'
import { checkPayBill } from './pay-bill/check-pay-bill'
import { recordPayBillRegistration } from './pay-bill/record-pay-bill-registration'
import { askRefund } from './refunds/ask-refund'
import { askRefundClosing } from './refunds/ask-refund-closing'
import { beginRefund } from './refunds/begin-refund'
import { beginRefundQuery } from './refunds/begin-refund-query'
import { decideRefund } from './refunds/decide-refund'
import { decideRefundClosing } from './refunds/decide-refund-closing'
import { recordRefund } from './refunds/record-refund'
import { askReportClosing } from './reports/ask-report-closing'
import { askReportPosting } from './reports/ask-report-posting'
import { decideReportClosing } from './reports/decide-report-closing'
import { decideReportPosting } from './reports/decide-report-posting'
import { listReports } from './reports/list-reports'
import { findStatementRows } from './statements/find-statement-rows'
import { readStatementUntil } from './statements/read-statement-until'
import { reconcileDay } from './statements/reconcile-day'
import { recordStatementRead } from './statements/record-statement-read'
import { takeStatementRows } from './statements/take-statement-rows'
import { askPlacement } from './suspense/ask-placement'
import { decidePlacement } from './suspense/decide-placement'
import { listSuspense } from './suspense/list-suspense'
import { checkWallet } from './wallets/check-wallet'
import { listWalletEntries } from './wallets/list-wallet-entries'
import { openWallet } from './wallets/open-wallet'
import { readWallet } from './wallets/read-wallet'
import { switchCards } from './wallets/switch-cards'
import { beginDelivery } from './webhooks/begin-delivery'
import { claimDeliveries } from './webhooks/claim-deliveries'
import { readWebhooks } from './webhooks/read-webhooks'
import { recordDelivery } from './webhooks/record-delivery'
import { removeWebhook } from './webhooks/remove-webhook'
import { resendDelivery } from './webhooks/resend-delivery'
import { resendSince } from './webhooks/resend-since'
import { sendTestEvent } from './webhooks/send-test-event'
import { switchWebhookOn } from './webhooks/switch-webhook-on'
import { classOfMethod } from './methods'
import type { Ledger, Operation } from './operation'

type Methods = Operations<LedgerServiceServer>

const operations: { readonly [Method in keyof Methods]: (ledger: Ledger) => Operation<Method> } = {
  audit,
  readCardSession,
  startCardIntent,
  countPayments,
  createCheckout,
  listCheckouts,
  readCheckout,
  readTimeline,
  retrieveCheckout,
  findPayments,
  listActions,
  listDayReceipts,
  listQueue,
  listReconReports,
  readPayment,
  readProviderHealth,
  keepConsoleRecord,
  readConsoleRecord,
  takeConsoleRecord,
  applyEvidence,
  readProviderMessage,
  storeProviderMessage,
  askFreezing,
  decideFreezing,
  switchCards,
  readHandlePayment,
  startHandleIntent,
  beginQuery,
  beginSubmit,
  claimDue,
  readIntent,
  recordSubmit,
  startIntent,
  readReceipt,
  acceptAct,
  askRetirement,
  decideEnrollment,
  decideRetirement,
  enrollOperator,
  listOperators,
  beginPayBillRegistration,
  checkPayBill,
  recordPayBillRegistration,
  askRefund,
  askRefundClosing,
  beginRefund,
  beginRefundQuery,
  decideRefund,
  decideRefundClosing,
  recordRefund,
  askReportClosing,
  askReportPosting,
  decideReportClosing,
  decideReportPosting,
  listReports,
  findStatementRows,
  readStatementUntil,
  reconcileDay,
  recordStatementRead,
  takeStatementRows,
  askPlacement,
  decidePlacement,
  listSuspense,
  checkWallet,
  listWalletEntries,
  openWallet,
  readWallet,
  beginDelivery,
  claimDeliveries,
  readWebhooks,
  recordDelivery,
  removeWebhook,
  resendDelivery,
  resendSince,
  sendTestEvent,
  switchWebhookOn,
}

/** Opens the operations, each with the database pool of its class. */
export function openOperations(ledgers: Readonly<Record<CallClass, Ledger>>): Methods {
  const opened = (Object.keys(operations) as (keyof Methods)[]).map((method) => [
    method,
    operations[method](ledgers[classOfMethod[method]]),
  ])
  return Object.fromEntries(opened) as Methods
}
