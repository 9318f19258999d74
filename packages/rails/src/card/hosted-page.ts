/** Where the payer's browser goes to pay in a session: the page of the gateway, as it is used without its script. */
export function hostedPageUrl(baseUrl: string, sessionId: string): string {
  return `${baseUrl}/checkout/pay/${encodeURIComponent(sessionId)}?checkoutVersion=1.0.0`
}
