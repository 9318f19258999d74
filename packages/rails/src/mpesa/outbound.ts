import { Fault } from '@malipo/kernel/errors'
import { majorText } from '@malipo/kernel/money'
import { paidWithinSeconds } from '@malipo/kernel/prompts'
import { description } from '../outbound-texts'
import type { PayBillUrls, Prompt, QrWanted, StatementSearch } from '../rail'
import { type MpesaSettings, receivingNumber } from './settings'
import type { StatementSpan } from './statement-clock'
import { compactTime, statementTime } from './wire'

/**
 * The bodies of calls to Daraja (README.md). Every value is a JSON string: the portal's own sample mixes
 * strings and numbers for the same fields, and a string keeps an amount exact.
 */

/** The most characters of TransactionDesc, which Daraja calls optional, and without which it refuses a push. */
const descriptionMax = 13

/** Letters and digits only: other characters have made prompts vanish without an error. */
const referenceShape = /^[A-Za-z0-9]{1,12}$/

export function pushBody(prompt: Prompt, settings: MpesaSettings, atMs: number) {
  if (!referenceShape.test(prompt.attemptReference)) {
    throw new Fault('internal', { attemptReference: prompt.attemptReference })
  }
  return {
    ...signature(settings, atMs),
    TransactionType:
      settings.till === undefined ? 'CustomerPayBillOnline' : 'CustomerBuyGoodsOnline',
    // Nothing is rounded here: with MPESA_WHOLE_SHILLINGS the ledger asks for whole shillings, without it cents go out.
    Amount: majorText(prompt.amountMinor),
    PartyA: prompt.phone,
    PartyB: receivingNumber(settings),
    PhoneNumber: prompt.phone,
    CallBackURL: prompt.callbackUrl,
    AccountReference: prompt.attemptReference,
    TransactionDesc: description(prompt.payeeName, descriptionMax),
  }
}

export function queryBody(providerRequestId: string, settings: MpesaSettings, atMs: number) {
  return { ...signature(settings, atMs), CheckoutRequestID: providerRequestId }
}

/** The password contains the timestamp, so the two must come from one reading of the clock. */
function signature(settings: MpesaSettings, atMs: number) {
  const timestamp = compactTime(atMs)
  const secret = settings.shortcode + settings.passkey + timestamp
  return {
    BusinessShortCode: settings.shortcode,
    Password: Buffer.from(secret).toString('base64'),
    Timestamp: timestamp,
  }
}

/** How long before its prompt the statement of an attempt is read from, because clocks differ by seconds. */
const beforeSubmitMs = 2 * 60_000
/** How long after its prompt the statement of an attempt is read to. */
const afterSubmitMs = paidWithinSeconds * 1_000

/** The most characters of the merchant's name: longer ones do not fit under the QR code. */
const merchantNameMax = 22

/** A code for the M-PESA app. The size is in pixels. */
export function qrBody(
  { payeeName, accountNumber, amountMinor }: QrWanted,
  settings: MpesaSettings,
) {
  return {
    MerchantName: description(payeeName, merchantNameMax),
    RefNo: accountNumber,
    Amount: majorText(amountMinor),
    TrxCode: settings.till === undefined ? 'PB' : 'BG',
    CPI: receivingNumber(settings),
    Size: '300',
  }
}

/** The part of the statement around one attempt. It ends within a second from now: no later time may be asked for. */
export function aroundAttempt({ submittedAt }: StatementSearch, nowMs: number): StatementSpan {
  const submittedMs = submittedAt.getTime()
  return {
    fromMs: submittedMs - beforeSubmitMs,
    untilMs: Math.min(submittedMs + afterSubmitMs, nowMs + 1_000),
  }
}

/** A page of the statement between two instants. `rowOffset` counts rows, not pages. */
export function pageBody(
  { fromMs, untilMs }: StatementSpan,
  settings: MpesaSettings,
  rowOffset: number,
) {
  return {
    ShortCode: receivingNumber(settings),
    StartDate: statementTime(fromMs),
    EndDate: statementTime(untilMs),
    OffSetValue: String(rowOffset),
  }
}

/**
 * Registers the addresses at which Daraja asks about Pay Bill payments and reports them. With `Completed` the payer's
 * money moves even if we do not answer in time, and money that should not have come goes to suspense.
 */
export function registerBody(urls: PayBillUrls, settings: MpesaSettings) {
  return {
    ShortCode: receivingNumber(settings),
    ResponseType: 'Completed',
    ConfirmationURL: urls.confirmationUrl,
    ValidationURL: urls.validationUrl,
  }
}
