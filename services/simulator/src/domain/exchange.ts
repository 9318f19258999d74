/** One call over the wire, whole: a provider's call that came in, or a callback that went out. */
export interface Exchange {
  readonly direction: 'in' | 'out'
  readonly method: string
  /** A path for what came in, an address for what went out. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Undefined when none came, or none was sent. */
  readonly answer: { readonly status: number; readonly body: string } | undefined
}
