import type { SignedAct } from '@malipo/runtime/operator-signature'
import type { Pool } from 'pg'
import { acceptAct, type AcceptActOutcome, type ActState } from '../rules/operator'
import {
  inRetriedTransaction,
  micros,
  timestamp,
  Stale,
  type Statement,
} from '../../database/transaction'

const load: Statement = {
  name: 'load_act',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, ${micros('$1::timestamptz')} AS "signedAt",
      EXISTS (SELECT FROM operator_acts WHERE nonce = $2) AS "isKept"`,
}

/** Stores the act, unless an act with the same nonce is stored. */
const save: Statement = {
  name: 'save_act',
  text: `
    INSERT INTO operator_acts (at, operator, method, request, signed_at, nonce, signature)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (nonce) DO NOTHING
    RETURNING 1`,
}

/** Keeps an act whose signature was verified, once, and at most `lifeSeconds` from the time at which it was signed. */
export async function recordAct(
  pool: Pool,
  act: SignedAct,
  lifeSeconds: number,
): Promise<AcceptActOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const [state] = await transaction.query<ActState>(load, [act.signedAt, act.nonce])
    if (state === undefined) throw new Error('the act was not loaded')
    const outcome = acceptAct(state, lifeSeconds)
    if (outcome === 'accepted') {
      const saved = await transaction.query(save, [
        ...[timestamp(state.now), act.operatorId, act.method, act.request],
        ...[act.signedAt, act.nonce, act.signature],
      ])
      if (saved.length !== 1) throw new Stale('the act was kept meanwhile')
    }
    return outcome
  })
}
