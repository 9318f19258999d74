import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Calls } from '@malipo/runtime/grpc'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { type Person, people } from '../../simulation/refunds/refund-tables.harness'
import type { RunningLedger } from '../../../start.harness'
import { amina, brian } from '../../../operators/operators.harness'

const identities = { amina, brian } as const

/** A ledger as its clients call it. */
export interface RefundCallers {
  readonly ledger: RunningLedger
  readonly as: Readonly<Record<Person, Calls<LedgerServiceServer>>>
}

/** The two operators, who sign by the clock of the worlds. */
export async function enrollBoth(ledger: RunningLedger, now: () => number): Promise<RefundCallers> {
  const signing = (identity: OperatorIdentity): OperatorIdentity => ({
    ...identity,
    sign: (audience, act) =>
      identity.sign(audience, { ...act, signedAt: new Date(now()).toISOString() }),
  })
  const as = { amina: ledger.as(signing(amina)), brian: ledger.as(signing(brian)) }
  for (const name of people) {
    await as[name].enrollOperator({ name, publicKey: identities[name].publicKey })
  }
  return { ledger, as }
}
