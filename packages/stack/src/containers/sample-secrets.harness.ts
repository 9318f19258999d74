/** What an operator would put behind each secret that our manifests refer to. */
const samples: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://service:secret@postgres.example:5432/service',
  REDIS_URL: 'redis+sentinel://:secret@valkey:26379/malipo',
  // Empty, as in a country of one cell.
  REDIS_CELLS: '',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '600100',
  MPESA_TILL: '832456',
  MPESA_PASSKEY: 'passkey',
  MPESA_SECURITY_CREDENTIAL: Buffer.alloc(256, 7).toString('base64'),
  MTN_MOMO_SUBSCRIPTION_KEY: 'key',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'key',
  AIRTEL_CLIENT_ID: 'id',
  AIRTEL_CLIENT_SECRET: 'secret',
  AIRTEL_CALLBACK_KEY: 'key',
  CARD_MERCHANT_ID: 'MALIPO',
  CARD_API_PASSWORD: 'password',
  CARD_NOTIFICATION_SECRET: 'secret-of-notifications',
}

/** A sample value of a secret: one of those above, otherwise 64 hex digits, the form of all other secrets. */
export function sampleSecret(name: string): string {
  return samples[name] ?? 'a'.repeat(64)
}
