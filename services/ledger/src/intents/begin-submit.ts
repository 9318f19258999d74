import type { Prompt } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Minor } from '@malipo/kernel/money'
import type { Ledger, Operation } from '../operation'
import { callbackToken } from '../database/ids'
import { batched } from '../database/batched'
import { type BeginSubmitCommand, beginSubmits } from './store/begin-submit'
import type { CardOrder } from './store/load-begin-submit'

const platformShape = /^[a-z][a-z0-9_]{0,31}$/

/** Commits the decision to call the provider first, then hands the prompt to this caller and to no later one. */
export function beginSubmit(deps: Ledger): Operation<'beginSubmit'> {
  const begin = batched(deps, (pool, commands: readonly BeginSubmitCommand[], isWaiting) =>
    beginSubmits(pool, commands, { terms: deps, isWaiting }),
  )
  return async ({ intentId, mtnMomoPlatform }) => {
    if (mtnMomoPlatform !== undefined && !platformShape.test(mtnMomoPlatform)) {
      throw new Fault('invalid_request', { field: 'mtn_momo_platform' })
    }
    const { order } = await begin({ intentId, mtnMomoPlatform })
    if (order === undefined) return {}
    const { accountId, rail, phone, amountMinor, attemptReference, callbackSecret, card } = order
    return {
      prompt: {
        intentId,
        accountId,
        rail: wireOf('RAIL', rail),
        // A payment by card may have no phone.
        phone: phone ?? '',
        amount: { currency: deps.country.currency, minor: amountMinor },
        attemptReference: attemptReference ?? '',
        callbackToken: callbackSecret === null ? '' : callbackToken(intentId, callbackSecret),
        card: card && presentCard(amountMinor, card),
      },
    }
  }
}

function presentCard(amountMinor: Minor, card: CardOrder): Prompt['card'] {
  const { checkoutId, feeMinor, lifeSeconds, sealedPayer } = card
  return {
    checkoutId,
    totalMinor: amountMinor + feeMinor,
    lifeSeconds,
    sealedPayer: sealedPayer === null ? undefined : Buffer.from(sealedPayer),
  }
}
