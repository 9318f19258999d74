import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import * as ledger from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { signedActs } from '../acts/signed-acts'

type Values = Record<string, string | number | Uint8Array>

/** The script without `export`, as the page inlines it. */
const script = readFileSync(join(__dirname, 'act-bytes.client.mjs'), 'utf8').replaceAll(
  /^export /gm,
  '',
)
const { actFields, encodeAct } = runInNewContext(`${script}\n;({ actFields, encodeAct })`, {
  TextEncoder,
}) as {
  actFields: Record<string, Record<string, unknown>>
  encodeAct: (act: string, values: Values) => Uint8Array
}

const note = 'n'.repeat(300)
const examples: Record<string, [values: Values, request: object]> = {
  AskPlacement: [
    { subject: 'mpesa:QK1', accountId: 'acct_1', note },
    { subject: 'mpesa:QK1', owner: { $case: 'accountId', value: 'acct_1' }, note },
  ],
  DecidePlacement: [
    { placementId: 'pl_1', agreed: 1, note },
    { placementId: 'pl_1', agreed: true, note },
  ],
  AskRefund: [
    { subject: 'mpesa:QK1', sentBy: 1, note: 'Mwongozo: é' },
    { subject: 'mpesa:QK1', sentBy: 'REFUND_SENDER_US', note: 'Mwongozo: é' },
  ],
  DecideRefund: [
    { refundId: 'rf_1', agreed: 0, note },
    { refundId: 'rf_1', agreed: false, note },
  ],
  AskRefundClosing: [
    { refundId: 'rf_1', end: 2, note },
    { refundId: 'rf_1', end: 'REFUND_END_FAILED', note },
  ],
  DecideRefundClosing: [
    { refundId: 'rf_1', agreed: 1, note, end: 2 },
    { refundId: 'rf_1', agreed: true, note, end: 'REFUND_END_FAILED' },
  ],
  AskReportClosing: [
    { subject: 'pi_1', note },
    { subject: 'pi_1', note },
  ],
  DecideReportClosing: [
    { closingId: 'rc_1', agreed: 1, note },
    { closingId: 'rc_1', agreed: true, note },
  ],
  AskReportPosting: [
    { intentId: 'pi_1', receipt: 'QK1', amount: '500.00', note },
    { intentId: 'pi_1', receipt: 'QK1', amount: '500.00', note },
  ],
  DecideReportPosting: [
    { postingId: 'rp_1', agreed: 1, note },
    { postingId: 'rp_1', agreed: true, note },
  ],
  AskFreezing: [
    { accountId: 'acct_1', frozen: 1, note },
    { accountId: 'acct_1', frozen: true, note },
  ],
  DecideFreezing: [
    { freezingId: 'fr_1', agreed: 1, note },
    { freezingId: 'fr_1', agreed: true, note },
  ],
  EnrollOperator: [
    { name: 'asha', publicKey: new Uint8Array(32).fill(200), subject: '00u1' },
    { name: 'asha', publicKey: Buffer.alloc(32, 200), subject: '00u1' },
  ],
  DecideEnrollment: [
    { operatorId: 'op_1', agreed: 1 },
    { operatorId: 'op_1', agreed: true },
  ],
  AskRetirement: [{ operatorId: 'op_1' }, { operatorId: 'op_1' }],
  DecideRetirement: [
    { operatorId: 'op_1', agreed: 1 },
    { operatorId: 'op_1', agreed: true },
  ],
}

test.each([...signedActs])('%s is signed over the bytes that the ledger writes', (act) => {
  const [values, request] = examples[act] ?? [{}, {}]
  const message = ledger[`${act}Request` as keyof typeof ledger] as unknown as {
    encode(request: object): { finish(): Uint8Array }
  }
  expect(Buffer.from(encodeAct(act, values))).toEqual(Buffer.from(message.encode(request).finish()))
})

test('the page and the server know the same acts', () => {
  expect(Object.keys(actFields).sort()).toEqual([...signedActs].sort())
})
