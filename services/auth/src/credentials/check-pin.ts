import { Fault } from '@malipo/kernel/errors'
import type { Accounts } from '../operation'
import type { Caller } from '../audit/rules/audit'
import type { ProvenPin } from './rules/pin-lock'
import { countPinTry, forgetPinTries, recordRefusedPin } from './store/pins'

/** Verifies the account's PIN. Faults: wrong_pin (`tries_left`), pin_locked, pin_not_set, invalid_request. */
export async function checkPin(
  { db, hasher }: Accounts,
  presented: { readonly accountId: string; readonly pin: string; readonly caller: Caller },
): Promise<ProvenPin> {
  const { accountId, pin, caller } = presented
  let triesLeft = 0
  const compared = await hasher.compare({ accountId, purpose: 'pin' }, pin, async () => {
    const counted = await countPinTry(db, accountId)
    triesLeft = counted.triesLeft
    return counted.pinHash
  })
  if (compared.isMatch) {
    const provenAt = await forgetPinTries(db, accountId)
    return { accountId, storedHash: compared.storedHash, provenAt }
  }
  await recordRefusedPin(db, accountId, { triesLeft, caller })
  throw new Fault('wrong_pin', { tries_left: triesLeft })
}
