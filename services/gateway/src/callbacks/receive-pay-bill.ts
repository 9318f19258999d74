import type { Accounts } from '@malipo/accounts-client/accounts'
import { isSameSecret } from '@malipo/contracts/same-secret'
import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault, type Reason } from '@malipo/kernel/errors'
import type { Payee } from '@malipo/ledger-client/intents'
import {
  type PayBillQuestion,
  type PayBillVerdict,
  readPayBillQuestion,
  typedHandle,
  validationAnswer,
} from '@malipo/rails/mpesa/pay-bill'
import { jsonAnswer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { cell as cellSchema } from '@malipo/runtime/env'
import { addressGroup } from '@malipo/runtime/client-address'
import type { Request } from 'express'
import type { CountryLedger } from '../cells/country-ledger'
import { bodyBytesMax, type StoreCallback, type StoreCallbackOptions } from './store-callback'
import { ratePolicies } from '../limits/rate-policies'
import { readBytes } from '@malipo/runtime/read-bytes'

/**
 * `POST /callbacks/c2b/{secret}/confirmation`: a payment from the Pay Bill menu. Only M-Pesa knows the secret in the
 * path, from the registration.
 */
export function confirmPayBill(storeCallback: StoreCallback, secret: string): Operation {
  return (request, response) =>
    storeCallback(request, response, () => {
      requireSecret(request.params['secret'], secret)
      return Promise.resolve({ subject: { kind: 'pay_bill' }, cell: cellIn(request) })
    })
}

export interface ValidateOptions extends Omit<StoreCallbackOptions, 'ledger' | 'readJobs'> {
  readonly rules: CountryRules
  readonly ledger: Pick<CountryLedger, 'of'>
  readonly accounts: Pick<Accounts, 'findPayee'>
  /** Undefined where payers pay to a Pay Bill number. */
  readonly till: string | undefined
}

/**
 * `POST /callbacks/c2b/{secret}/validation`: decides whether to take a payment. M-Pesa waits some eight seconds. The
 * look-up of a typed handle and the question to the ledger have 1.5 seconds each; without an answer the payment is
 * taken: money that cannot be placed is held in suspense, and a payer who is refused for our fault may not come back.
 */
export function validatePayBill(options: ValidateOptions, secret: string): Operation {
  const { clientAddress, sources, limitRate } = options
  return async (request, response) => {
    const address = clientAddress(request)
    const isListed = sources.has(address)
    if (!isListed) {
      await limitRate(response, ratePolicies.callback, addressGroup(address))
    }
    requireSecret(request.params['secret'], secret)
    const question = readPayBillQuestion(await readBytes(request, bodyBytesMax))
    const { verdict, thirdPartyId } = await judge(options, cellIn(request), question)
    // Only M-Pesa receives the value that makes a confirmation creditable at once.
    return jsonAnswer(200, validationAnswer(verdict, isListed ? thirdPartyId : undefined))
  }
}

interface Judged {
  readonly verdict: PayBillVerdict
  readonly thirdPartyId?: string
}

async function judge(
  options: ValidateOptions,
  cell: Cell,
  question: PayBillQuestion | undefined,
): Promise<Judged> {
  if (question === undefined) return { verdict: 'unreadable' }
  const { amountMinor, ...fields } = question
  if (amountMinor === undefined) return { verdict: 'wrong_amount' }
  // A payment to the till has no account number: its checkout is found once the statement shows the payer's phone.
  if (options.till !== undefined && fields.accountNumber.trim() === '')
    return { verdict: 'accepted' }
  const payee = await payeeOf(options, cell, fields.accountNumber).catch(
    unless('unavailable', unanswered),
  )
  const check = { ...fields, amountMinor, payee: payee === unanswered ? undefined : payee }
  const judged: Judged = await options.ledger
    .of(cell)
    .checkPayBill(check)
    .catch(unless('ledger_unavailable', { verdict: 'accepted' } as const))
  const mayBeHandle = payee === unanswered && judged.verdict === 'unknown_account'
  return mayBeHandle ? { ...judged, verdict: 'accepted' } : judged
}

const unanswered = Symbol('unanswered')

/** The payee of an account number that is a handle, if the owner accepts payments in this cell of the country. */
async function payeeOf(
  { rules, accounts }: ValidateOptions,
  cell: Cell,
  accountNumber: string,
): Promise<Payee | undefined> {
  const handle = typedHandle(accountNumber)
  return handle === undefined ? undefined : accounts.findPayee(handle, rules.country, cell)
}

/** Replaces a fault of this reason by a value. */
function unless<Instead>(reason: Reason, instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof Fault && error.reason === reason) return instead
    throw error
  }
}

/** The cell in the path of a callback (`/cells/1/callbacks/…`); the paths of the first cell have none. */
function cellIn(request: Request): Cell {
  const { cell: given } = request.params
  if (given === undefined) return firstCell
  const read = cellSchema.safeParse(given)
  if (!read.success) throw new Fault('route_not_found')
  return read.data
}

function requireSecret(given: unknown, secret: string): void {
  if (typeof given !== 'string' || !isSameSecret(given, secret)) throw new Fault('route_not_found')
}
