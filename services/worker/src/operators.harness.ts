import { generateKeyPairSync } from 'node:crypto'
import {
  type LedgerServiceServer,
  LedgerServiceService,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { signCalls } from '@malipo/runtime/operator-calls'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { ledgerCallers } from '../../ledger/src/methods'

export interface Operators {
  /** Requests a refund as one operator and approves it as the other. Returns the refund's id. */
  refund(subject: string): Promise<string>
  close(): void
}

export async function openOperators(address: string, country: Country): Promise<Operators> {
  const signing = async (name: string) => {
    const identity = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
    const { calls, close } = openCallsOf<LedgerServiceServer>({
      server: `ledger-${country}`,
      definition: LedgerServiceService,
      callers: ledgerCallers(country),
      address,
      whenUnavailable: 'ledger_unavailable',
      interceptors: [signCalls(identity, country)],
    })
    await calls.enrollOperator({ name, publicKey: identity.publicKey })
    return { calls, close }
  }
  const [amina, brian] = [await signing('amina'), await signing('brian')]
  return {
    async refund(subject) {
      const request = { subject, sentBy: RefundSender.US, note: 'wrong' }
      const { refundId = '' } = await amina.calls.askRefund(request)
      await brian.calls.decideRefund({ refundId, agreed: true, note: 'yes' })
      return refundId
    },
    close() {
      for (const { close } of [amina, brian]) close()
    },
  }
}
