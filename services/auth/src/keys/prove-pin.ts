import { randomUUID } from 'node:crypto'
import { openPinProofSigner } from '@malipo/contracts/pin-proof'
import type { NewKey } from '@malipo/keys-client/keys'
import type { Account } from '../accounts/rules/account'
import type { ProvenPin } from '../credentials/rules/pin-lock'

/** Builds the request for a key from a successful PIN check; the key service makes no key without its proof. */
export type ProvePin = (pin: ProvenPin, home: Pick<Account, 'homeCountry' | 'cell'>) => NewKey

export function openProvePin(privateKey: Buffer): ProvePin {
  const sign = openPinProofSigner(privateKey)
  return ({ accountId, provenAt }, { homeCountry: country, cell }) => {
    const nonce = randomUUID()
    const signature = sign({ accountId, country, provenAt, nonce })
    return { accountId, country, cell, pinProof: { provenAt, nonce, signature } }
  }
}
