import type { Minor } from '@malipo/kernel/money'
import type { Phone } from '../../phones/rules/phone'
import type { SimulatedTime } from '../../clock/rules/clock'
import type { Facets, Moment } from '../../faults/rules/rule'

/**
 * A simulated provider: the calls it accepts and the errors that rules can make it return. A rail sees requests and
 * answers as values; the wire middleware handles sockets, delays and broken answers for all rails.
 */
export interface Rail {
  readonly name: string
  readonly businesses: readonly Business[]
  readonly operations: readonly Operation[]
  /** The names of its errors, for rules; `spike_arrest` is among them, because the effect `limit` needs it. */
  readonly errorNames: readonly string[]
  errorAnswer(name: string): WireAnswer
  /** The answer to an unknown path or method below this provider's paths; undefined for any other path. */
  stray(path: string, isKnownPath: boolean): WireAnswer | undefined
  /** The phone's own menu, where the network has one: pays a business without a request from it. */
  payFromMenu?(phone: Phone, wanted: MenuPayment): Promise<MenuPaid>
  /** What a QR code of the provider, a picture in base64, asks a phone to pay. */
  readCode?(picture: string): MenuPayment | undefined
  /** The public key, as PEM, with which merchants encrypt the password of their operator. */
  readonly operatorKey?: () => string
  /** The provider's own web pages for payers. */
  readonly hosted?: HostedCheckout
}

/** A payment that a payer is asked for. */
export interface AskedPayment {
  /** Digits with the country code; empty for a payer without a phone. */
  readonly msisdn: string
  readonly amountMinor: Minor
  readonly business: string
  /** What the payer is shown as the account. */
  readonly account: string
  /** Called once the callback was delivered, failed or was dropped; at once where none is sent. */
  waiting: (() => void)[]
  calledBack: boolean
}

export interface MenuPayment {
  readonly business: string
  /** The payer's input, not validated. */
  readonly account: string
  readonly amountMinor: Minor
  /** Without a PIN the right one is assumed. */
  readonly pin?: string | undefined
}

/** A refusal moves no money. */
export type MenuPaid =
  | { readonly kind: 'paid'; readonly receipt: string }
  | { readonly kind: 'refused'; readonly why: string }

/** The forms on a provider's pages, one call each; the paths contain the session. */
export interface HostedCheckout {
  /** `openedBy`: the page whose script led the payer here. */
  open(sessionId: string, openedBy?: string): HostedView
  pay(sessionId: string, form: URLSearchParams): HostedView
  openChallenge(sessionId: string): HostedView
  answerChallenge(sessionId: string, isProven: boolean): HostedView
}

export type HostedView =
  | (HostedOrder & {
      readonly kind: 'form'
      readonly problem: string | undefined
      readonly cancelUrl: string | undefined
      /** The address that leads back to the merchant without paying. */
      readonly leaveUrl: string | undefined
    })
  | (HostedOrder & { readonly kind: 'challenge'; readonly card: string })
  /** Paid, with nowhere to return to. */
  | (HostedOrder & { readonly kind: 'receipt' })
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'gone' }

export interface HostedOrder {
  readonly sessionId: string
  readonly merchantName: string
  readonly amountMinor: Minor
  readonly currency: string
  readonly description: string
}

export interface Business {
  readonly shortCode: string
  readonly name: string
}

export interface Operation {
  readonly moment: Exclude<Moment, 'prompt' | 'challenge' | 'callback'>
  readonly method: 'GET' | 'POST' | 'PUT'
  /** `/v1_0/apiuser/{id}`: a name in braces matches one segment, which is passed in `params`. */
  readonly path: string
  /** Whether `perform` uses the code of a `lie`; a rule of this kind passes over every other call. */
  readonly takesLies?: true
  understand(call: WireCall): Understood
}

export interface WireCall {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
  /** The parsed body, whatever its content type; undefined when it is malformed. */
  readonly json: unknown
  /** The raw body: a signature covers its bytes. */
  readonly body: string
}

/** A call is read completely before it is carried out, so that a rule can intervene. */
export type Understood =
  | {
      readonly kind: 'refused'
      readonly answer: WireAnswer
      readonly why: string
      /** The payment of the call, when it could be read. */
      readonly facets?: Facets
    }
  | {
      readonly kind: 'understood'
      readonly facets: Facets
      /** `lie` is the code of a false answer to a query, or of an order that ends without being carried out. */
      perform(lie?: string): Performed
    }

export type Refused = Extract<Understood, { readonly kind: 'refused' }>

export interface Performed {
  readonly answer: WireAnswer
  /** The provider's id of the request, if this call creates it. */
  readonly reference?: string
  /** For an accepted push: runs when its callback has been delivered, dropped or lost. */
  readonly whenCalledBack?: (run: () => void) => void
}

export interface WireAnswer {
  readonly status: number
  /** Headers beside content type and length. */
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
}

/** Sends a callback. Never throws: the outcome is a value. */
export type Deliver = (url: string, body: string, how?: DeliverHow) => Promise<Delivery>

export interface DeliverHow {
  /** POST by default. */
  readonly method?: 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds after which the delivery counts as failed; ten seconds when absent. */
  readonly timeoutMs?: number
  /** Sends the body in small parts over this virtual time; the timeout begins after the last part. */
  readonly drip?: { readonly ms: number; readonly time: SimulatedTime }
  /** The source address: a loopback address is bound, any other is sent as `X-Forwarded-For`. */
  readonly from?: string
}

export type Delivery =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The response's JSON; undefined when it is malformed. */
      readonly json: unknown
      /** The response's text, truncated when it is long. */
      readonly text: string
      readonly tookMs: number
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly tookMs: number }

export function jsonAnswer(status: number, body: object): WireAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) }
}

/** Whether a table of errors has a name, which a rule may have from another rail's. */
export function has<Table extends object>(
  table: Table,
  name: string,
): name is keyof Table & string {
  return Object.hasOwn(table, name)
}
