/** One request of a merchant's server, as the request log of the hub shows it. */
export interface MerchantRequest {
  /** `X-Request-Id` of its answer. */
  readonly requestId: string
  readonly accountId: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** The number of the error; 0 when there was none. */
  readonly code: number
  readonly milliseconds: number
  readonly at: Date
}

/** How long they are kept. */
export const requestLogDays = 7
