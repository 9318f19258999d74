import { createHash, timingSafeEqual } from 'node:crypto'
import { Fault } from '@malipo/kernel/errors'
import {
  type PayBillQuestion,
  type PayBillVerdict,
  readPayBillQuestion,
  validationAnswer,
} from '@malipo/rails/mpesa/pay-bill'
import { jsonAnswer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { Ledger } from '../clients/ledger'
import { addressGroup } from '@malipo/runtime/client-address'
import { bodyBytesMax, type KeepCallback, type KeepCallbackOptions } from './keep-callback'
import { ratePolicies } from './rate-window'
import { readBytes } from '@malipo/runtime/read-bytes'

/**
 * `POST /callbacks/c2b/{secret}/confirmation`: a payer has paid from the Pay Bill menu. The path is what M-Pesa was told
 * when it was registered, and nobody else.
 */
export function confirmPayBill(keep: KeepCallback, secret: string): Operation {
  return (request, response) =>
    keep(request, response, () => {
      requireSecret(request.params['secret'], secret)
      return Promise.resolve({ kind: 'pay_bill' })
    })
}

export interface ValidateOptions extends Omit<KeepCallbackOptions, 'ledger' | 'readBell'> {
  readonly ledger: Pick<Ledger, 'checkPayBill'>
}

/**
 * `POST /callbacks/c2b/{secret}/validation`: should this payment be taken? M-Pesa waits for about eight seconds, so
 * when nobody can say within two, it is: money that cannot be placed is held, and a payer who is turned away for our
 * sake may not come back.
 */
export function validatePayBill(options: ValidateOptions, secret: string): Operation {
  const { clientAddress, sources, limitRate, ledger } = options
  return async (request, response) => {
    const address = clientAddress(request)
    if (!sources.has(address)) {
      await limitRate(response, ratePolicies.callback, addressGroup(address))
    }
    requireSecret(request.params['secret'], secret)
    const question = readPayBillQuestion(await readBytes(request, bodyBytesMax))
    const { verdict, thirdPartyId } = await judge(ledger, question)
    return jsonAnswer(200, validationAnswer(verdict, thirdPartyId))
  }
}

interface Judged {
  readonly verdict: PayBillVerdict
  readonly thirdPartyId?: string
}

async function judge(
  ledger: ValidateOptions['ledger'],
  question: PayBillQuestion | undefined,
): Promise<Judged> {
  if (question === undefined) return { verdict: 'unreadable' }
  const { amountMinor, ...asked } = question
  if (amountMinor === undefined) return { verdict: 'wrong_amount' }
  return ledger.checkPayBill({ ...asked, amountMinor }).catch((error: unknown): Judged => {
    if (error instanceof Fault && error.reason === 'ledger_unavailable') {
      return { verdict: 'accepted' }
    }
    throw error
  })
}

/** Digests take as long to compare however much of a guess is right. */
function requireSecret(given: unknown, secret: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (typeof given !== 'string' || !timingSafeEqual(digest(given), digest(secret))) {
    throw new Fault('route_not_found')
  }
}
