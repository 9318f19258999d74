/** The address of Safaricom's sandbox, in whose place tests answer. */
export const baseUrl = 'https://sandbox.safaricom.co.ke'
export const settings = {
  baseUrl,
  consumerKey: 'consumer-key',
  consumerSecret: 'consumer-secret',
  shortcode: '174379',
  passkey: 'passkey',
}
