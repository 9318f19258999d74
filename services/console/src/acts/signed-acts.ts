/** The acts of operators that the console passes on, by the ledger's names. */
export const signedActs = [
  'AskPlacement',
  'DecidePlacement',
  'AskRefund',
  'DecideRefund',
  'AskRefundClosing',
  'DecideRefundClosing',
  'AskReportClosing',
  'DecideReportClosing',
  'AskReportPosting',
  'DecideReportPosting',
  'AskFreezing',
  'DecideFreezing',
  'EnrollOperator',
  'DecideEnrollment',
  'AskRetirement',
  'DecideRetirement',
] as const

export type SignedActName = (typeof signedActs)[number]

export function methodOf(act: SignedActName): string {
  return `/ledger.v1.LedgerService/${act}`
}
