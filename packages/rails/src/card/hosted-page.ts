/** The gateway's page on which a payer pays in a session, as it is used without the gateway's script. */
export function hostedPageUrl(baseUrl: string, sessionId: string): string {
  return `${baseUrl}/checkout/pay/${encodeURIComponent(sessionId)}?checkoutVersion=1.0.0`
}
