import { isWholeMajor, minorFromMajorText } from '@malipo/kernel/money'
import { fieldText, type Fields, asFields, headerText } from '../wire-call'
import { type MpesaSettings, isShortCode } from './settings'
import type { Refused, Understood, WireCall } from '../rules/rail'
import { refuse, refuseField } from './errors'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

interface FieldRule {
  readonly field: string
  /** The name of the field in Daraja's errors, where it differs. */
  readonly calledOnWire?: string
  readonly isGood: (text: string, settings: MpesaSettings) => boolean
}

const shaped = (field: string, shape: RegExp): FieldRule => ({
  field,
  isGood: (text) => shape.test(text),
})

const shortCodeShape = /^\d{5,7}$/
const phoneShape = /^254[17]\d{8}$/
const timestampShape =
  /^20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/

const signed: readonly FieldRule[] = [
  shaped('BusinessShortCode', shortCodeShape),
  shaped('Timestamp', timestampShape),
]

/** In the order of checking: Daraja names only the first wrong field (providers.md 1.2). */
const pushRules: readonly FieldRule[] = [
  ...signed,
  {
    field: 'TransactionType',
    isGood: (text, { profile }) =>
      /^Customer(?:PayBill|BuyGoods)Online$/.test(profile === 'strict' ? text : text.trim()),
  },
  { field: 'Amount', isGood: isGoodAmount },
  shaped('PartyA', phoneShape),
  shaped('PartyB', shortCodeShape),
  shaped('PhoneNumber', phoneShape),
  { field: 'CallBackURL', isGood: isGoodCallbackUrl },
  // The portal allows 12 letters and digits, and the sandbox took 15. With other characters payments are reported to
  // fail without an error.
  shaped('AccountReference', /^[A-Za-z0-9]{1,12}$/),
  // The portal calls it optional. Daraja's sandbox refused a push without it, with an error that names it `Remarks`.
  { field: 'TransactionDesc', calledOnWire: 'Remarks', isGood: isGoodDescription },
]

/** The portal allows 13 characters. Clients in wide use send 19 and 20, and Daraja takes them. */
function isGoodDescription(text: string, { profile }: MpesaSettings): boolean {
  return profile === 'strict' ? /^.{1,13}$/.test(text) : /^.{1,100}$/.test(text)
}

const queryRules: readonly FieldRule[] = [
  ...signed,
  shaped('CheckoutRequestID', /^ws_CO_\w{1,60}$/),
]

/** The name of the first bad field of a push, as Daraja names it. */
export function badPushField(fields: Fields, settings: MpesaSettings): string | undefined {
  return firstBad(pushRules, fields, settings)
}

export function badQueryField(fields: Fields, settings: MpesaSettings): string | undefined {
  return firstBad(queryRules, fields, settings)
}

function firstBad(rules: readonly FieldRule[], fields: Fields, settings: MpesaSettings) {
  const bad = rules.find(({ field, isGood }) => !isGood(fieldText(fields, field), settings))
  return bad && (bad.calledOnWire ?? bad.field)
}

function isGoodAmount(text: string, settings: MpesaSettings): boolean {
  const minor = minorFromMajorText(text)
  if (minor === undefined || minor === 0n) return false
  // "500.00" is a decimal to Daraja, however whole its value.
  return !settings.wholeShillings || (isWholeMajor(minor) && !text.includes('.'))
}

/** The portal forbids these in addresses for C2B: some words, and hosts that show every request they receive. */
const forbiddenInAddress = /m-?pesa|safaricom|exe|cmd|sql|query|ngrok|mockbin|requestbin/i

/** Whether a push takes an address for its callback. Daraja takes "mpesa" in it, which widely used clients have. */
export function isGoodCallbackUrl(text: string, { profile }: MpesaSettings): boolean {
  return profile === 'strict' ? isRegistrableUrl(text) : isHttpUrl(text)
}

/** Whether an address can be registered for C2B. */
export function isRegistrableUrl(text: string): boolean {
  return isHttpUrl(text) && !forbiddenInAddress.test(text)
}

/** Plain HTTP and loopback pass, as in the sandbox, for local tries. Daraja refuses both in production. */
function isHttpUrl(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === ''
}

/**
 * What the push and the query have in common: a token, a JSON body, good fields, a merchant who exists, and a
 * password that is base64 of short code, passkey and timestamp.
 */
export function understandSigned(
  mpesa: Mpesa,
  call: WireCall,
  badField: (fields: Fields, settings: MpesaSettings) => string | undefined,
  understand: (fields: Fields) => Understood,
): Understood {
  const problem = tokenProblem(mpesa, call, 'invalid_token')
  if (problem !== undefined) return refuse(mpesa, problem)
  // A missing content type shows as a missing first field: the portal says so itself.
  if (!isJson(call)) return refuseField(mpesa, 'BusinessShortCode')
  const fields = asFields(call.json)
  if (fields === undefined) return refuse(mpesa, 'invalid_payload')
  const bad = badField(fields, mpesa.settings)
  if (bad !== undefined) return refuseField(mpesa, bad)
  return refuseSignature(mpesa, fields) ?? understand(fields)
}

function refuseSignature(mpesa: Mpesa, fields: Fields): Refused | undefined {
  const shortCode = fieldText(fields, 'BusinessShortCode')
  if (!isShortCode(mpesa.settings, shortCode)) return refuse(mpesa, 'unknown_merchant')
  const signature = shortCode + mpesa.settings.passkey + fieldText(fields, 'Timestamp')
  const expected = Buffer.from(signature).toString('base64')
  return fieldText(fields, 'Password') === expected ? undefined : refuse(mpesa, 'wrong_credentials')
}

function isJson(call: WireCall): boolean {
  return /^application\/json\b/i.test(headerText(call, 'content-type'))
}
