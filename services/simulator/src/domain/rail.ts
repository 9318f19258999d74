import type { Minor } from '@malipo/kernel/money'
import type { Phone } from './phone'
import type { Facets, Moment } from './rule'

/**
 * A simulated provider: the calls it accepts and the errors that rules can make it return. A rail sees requests and
 * answers as values; the wire middleware handles sockets, delays and broken answers for all rails.
 */
export interface Rail {
  readonly name: string
  readonly businesses: readonly Business[]
  readonly operations: readonly Operation[]
  /** Its errors by name, for rules, and `spike_arrest` for the limit among them. */
  readonly errorNames: readonly string[]
  errorAnswer(name: string): WireAnswer
  /** The answer to a path or a method that is not among the operations, for paths of this provider. */
  stray(path: string, isKnownPath: boolean): WireAnswer | undefined
  /** The menu of the payer's own phone, where the network has one: pays a business that has asked for nothing. */
  payFromMenu?(phone: Phone, wanted: MenuPayment): Promise<MenuPaid>
  /** Pages of the provider's own, where payers come with a browser. */
  readonly hosted?: HostedCheckout
}

export interface MenuPayment {
  readonly business: string
  /** Whatever the payer typed. */
  readonly account: string
  readonly amountMinor: Minor
  /** None given means the right one. */
  readonly pin?: string | undefined
}

/** No money moves by a refusal. */
export type MenuPaid =
  | { readonly kind: 'paid'; readonly receipt: string }
  | { readonly kind: 'refused'; readonly why: string }

/** What a payer does on a provider's pages, one call a page; sessions are named in the paths. */
export interface HostedCheckout {
  open(sessionId: string): HostedView
  pay(sessionId: string, form: URLSearchParams): HostedView
  openChallenge(sessionId: string): HostedView
  answerChallenge(sessionId: string, isProven: boolean): HostedView
}

export type HostedView =
  | (HostedOrder & {
      readonly kind: 'form'
      readonly problem: string | undefined
      readonly cancelUrl: string
      /** Back to the merchant, unpaid. */
      readonly leaveUrl: string
    })
  | (HostedOrder & { readonly kind: 'challenge'; readonly card: string })
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
  /** `/v1_0/apiuser/{id}`: a name in braces stands for one segment, and is handed over in `params`. */
  readonly path: string
  understand(call: WireCall): Understood
}

export interface WireCall {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: Readonly<Record<string, unknown>>
  readonly params: Readonly<Record<string, string>>
  /** The parsed body; undefined when it is no JSON or not declared as such. */
  readonly json: unknown
  /** The body as it came: a signature is made over its bytes. */
  readonly body: string
}

/** A call is read whole before anything is done, so that a rule can step in between. */
export type Understood =
  | {
      readonly kind: 'refused'
      readonly answer: WireAnswer
      readonly why: string
      /** The payment that it was about, when that could be read. */
      readonly facets?: Facets
    }
  | {
      readonly kind: 'understood'
      readonly facets: Facets
      /** A query is given the result code of a `lie`. */
      perform(lie?: string): Performed
    }

export interface Performed {
  readonly answer: WireAnswer
  /** The provider's id of the request, where it begins with this call. */
  readonly reference?: string
  /** For a push that was accepted: runs when its callback has been delivered, dropped or lost. */
  readonly whenCalledBack?: (run: () => void) => void
}

export interface WireAnswer {
  readonly status: number
  /** Beside the type and the length. */
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType: string
  readonly body: string
}

/** Sends a callback to its receiver. Never throws: the outcome is a value. */
export type Deliver = (url: string, body: string, how?: DeliverHow) => Promise<Delivery>

export interface DeliverHow {
  /** POST by default. */
  readonly method?: 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  /** A receiver that needs longer has not received it. */
  readonly timeoutMs?: number
  /** Sends the body in small parts over this time. */
  readonly dripMs?: number
  /** The source address: a loopback address is bound, any other is sent as `X-Forwarded-For`. */
  readonly from?: string
}

export type Delivery =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** What was answered; undefined when it is no JSON. */
      readonly json: unknown
      /** The same word for word, its end cut off when it is long. */
      readonly text: string
      readonly tookMs: number
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly tookMs: number }

export function jsonAnswer(status: number, body: object): WireAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) }
}
