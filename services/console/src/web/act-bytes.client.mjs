// Encodes the acts of operators as protocol buffers in the browser that signs them, so the ledger reads what the
// operator confirmed, whatever the console's server does. `act-bytes.test.ts` compares each with the generated code.

const text = (number) => ({ number, wire: 2 })
const yesOrNo = (number) => ({ number, wire: 0 })

/** The fields of each act in the order of their numbers, by the names of the form. */
export const actFields = {
  AskPlacement: { subject: text(1), checkoutId: text(2), accountId: text(3), note: text(4) },
  DecidePlacement: { placementId: text(1), agreed: yesOrNo(2), note: text(3) },
  AskRefund: { subject: text(1), sentBy: yesOrNo(2), note: text(4) },
  DecideRefund: { refundId: text(1), agreed: yesOrNo(2), note: text(4) },
  AskRefundClosing: { refundId: text(1), end: yesOrNo(2), note: text(4) },
  DecideRefundClosing: { refundId: text(1), agreed: yesOrNo(2), note: text(4), end: yesOrNo(5) },
  AskReportClosing: { subject: text(1), note: text(2) },
  DecideReportClosing: { closingId: text(1), agreed: yesOrNo(2), note: text(3) },
  AskReportPosting: { intentId: text(1), receipt: text(2), amount: text(3), note: text(4) },
  DecideReportPosting: { postingId: text(1), agreed: yesOrNo(2), note: text(3) },
  AskFreezing: { accountId: text(1), frozen: yesOrNo(2), note: text(3) },
  DecideFreezing: { freezingId: text(1), agreed: yesOrNo(2), note: text(3) },
  EnrollOperator: { name: text(1), publicKey: text(2), subject: text(3) },
  DecideEnrollment: { operatorId: text(1), agreed: yesOrNo(2) },
  AskRetirement: { operatorId: text(1) },
  DecideRetirement: { operatorId: text(1), agreed: yesOrNo(2) },
}

/** Values are texts, bytes, and small whole numbers. Absent, empty and zero ones are left out, as the ledger does. */
export function encodeAct(act, values) {
  const bytes = []
  for (const [name, { number, wire }] of Object.entries(actFields[act])) {
    const value = values[name]
    if (value === undefined || value === '' || value === 0) continue
    bytes.push((number << 3) | wire)
    if (wire === 0) {
      bytes.push(value)
      continue
    }
    const content = typeof value === 'string' ? new TextEncoder().encode(value) : value
    let { length } = content
    for (; length > 127; length >>>= 7) bytes.push((length & 127) | 128)
    bytes.push(length, ...content)
  }
  return new Uint8Array(bytes)
}
