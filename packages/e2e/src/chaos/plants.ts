/** A bug that a run must find: in the built code of a service, `from` is replaced by `to`. */
export interface Plant {
  /** How the path of the built file ends. */
  readonly file: string
  readonly from: string
  readonly to: string
}

const createCheckout = 'services/gateway/dist/merchant/create-checkout.js'
const merchantView = 'services/gateway/dist/merchant/merchant-checkout.js'
const readIntent = 'services/gateway/dist/payer/read-intent.js'
const settleReceipt = 'services/ledger/dist/evidence/rules/settle-receipt.js'
const submitPrompt = 'services/worker/dist/prompts/submit-prompt.js'
const status = 'status: intent.status,'

export const plants: Readonly<Record<string, Plant>> = {
  'paid-shown-as-expired': {
    file: 'services/ledger/dist/checkouts/present-checkout.js',
    from: "('CHECKOUT_STATUS', checkout.status)",
    to: "('CHECKOUT_STATUS', checkout.status === 'completed' ? 'expired' : checkout.status)",
  },
  'phone-in-log': {
    file: submitPrompt,
    from: 'payer: (0, ids_1.maskPhone)(prompt.phone)',
    to: 'payer: prompt.phone',
  },
  'key-in-log': {
    file: createCheckout,
    from: 'const { accountId, cell } = await authenticate(request);',
    to: "const { accountId, cell } = await authenticate(request); console.error(request.headers['authorization']);",
  },
  'prompt-sent-twice': {
    file: submitPrompt,
    from: 'const outcome = await send(deps, { intentId, sendByMs }, prompt);',
    to: `await send(deps, { intentId, sendByMs }, prompt);
      const outcome = await send(deps, { intentId, sendByMs }, prompt);`,
  },
  'create-without-its-key': {
    file: createCheckout,
    from: '...{ accountId, idempotencyKey,',
    to: "...{ accountId, idempotencyKey: require('node:crypto').randomUUID(),",
  },
  'a-shilling-more-asked': {
    file: merchantView,
    from: 'amountMinor: BigInt(body.amount),',
    to: 'amountMinor: BigInt(body.amount) + 100n,',
  },
  'a-shilling-less-posted': {
    file: settleReceipt,
    from: 'credit, minor: minor - fee };',
    to: 'credit, minor: minor - fee - 100n };',
  },
  'a-shilling-less-read-as-settled': {
    file: merchantView,
    from: ': String(settledMinor),',
    to: ': String(settledMinor - 100n),',
  },
  'receipt-cut': {
    file: merchantView,
    from: 'provider_receipt: payment.receipt ?? null,',
    to: 'provider_receipt: payment.receipt?.slice(1) ?? null,',
  },
  'money-to-suspense': {
    file: settleReceipt,
    from: "(0, postings_1.creditOf)(disposition, accountId ?? '')",
    to: "'suspense:unmatched'",
  },
  'evidence-not-applied': {
    file: 'services/worker/dist/callbacks/read-provider-message.js',
    from: 'const applied = await deps.ledger.applyEvidence(',
    to: "if (fact.kind !== 'pay_bill_paid') return 'kept'; const applied = await deps.ledger.applyEvidence(",
  },
  'card-fee-not-posted': {
    file: settleReceipt,
    from: 'return fee === 0n ? [amount]',
    to: 'return fee >= 0n ? [amount]',
  },
  'card-total-without-its-fee': {
    file: 'services/gateway/dist/payer/pay-by-card.js',
    from: 'total: String(totalMinor),',
    to: 'total: String(totalMinor - feeMinor),',
  },
  'completed-before-paid': {
    file: merchantView,
    from: 'status: checkout.status,',
    to: "status: checkout.payment === undefined ? checkout.status : 'completed',",
  },
  'pending-shown-as-completed': {
    file: readIntent,
    from: status,
    to: "status: ['pending', 'failed'].includes(intent.status) ? 'completed' : intent.status,",
  },
  'pending-shown-as-failed': {
    file: readIntent,
    from: status,
    to: "status: ['created', 'reserved', 'submitted', 'pending'].includes(intent.status) ? 'failed' : intent.status,",
  },
  'outage-answered-as-defect': {
    file: 'packages/runtime/dist/database.js',
    from: 'function isDatabaseAway(error) {',
    to: 'function isDatabaseAway(error) { return false;',
  },
}
