/** One complete HTTP exchange: a call received by a provider, or a callback sent. */
export interface Exchange {
  readonly direction: 'in' | 'out'
  readonly method: string
  /** A path for a received call, a URL for a sent one. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Undefined when there was no answer. */
  readonly answer: { readonly status: number; readonly body: string } | undefined
}
