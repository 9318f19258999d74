/** Safaricom's sandbox, which tests answer for. */
export const baseUrl = 'https://sandbox.safaricom.co.ke'
export const settings = {
  baseUrl,
  consumerKey: 'consumer-key',
  consumerSecret: 'consumer-secret',
  shortcode: '174379',
  passkey: 'passkey',
}
