/** One request of a merchant's server, as the hub's request log shows it. */
export interface MerchantRequest {
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string
  readonly accountId: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** The API error code; 0 for a success. */
  readonly code: number
  readonly milliseconds: number
  readonly at: Date
}

export const requestLogDays = 7
