/** What an operator would put behind each secret that our manifests refer to. */
const samples: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgresql://service:secret@postgres.example:5432/service',
  REDIS_URL: 'rediss://:secret@redis.example:6379',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}

/** Every other secret of ours is 32 random bytes in hex. */
export function sampleSecret(name: string): string {
  return samples[name] ?? 'a'.repeat(64)
}
