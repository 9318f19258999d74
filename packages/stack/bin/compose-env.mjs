// Prints new secrets for docker-compose.yml: node packages/stack/bin/compose-env.mjs > .env
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import process from 'node:process'

const names = [
  'KEY_PEPPERS',
  'KEY_CHECK_SECRET',
  'CREDENTIAL_PEPPER',
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  'LEDGER_KE_DATABASE_PASSWORD',
  'LEDGER_UG_DATABASE_PASSWORD',
  'KEYS_DATABASE_PASSWORD',
  'ACCOUNTS_DATABASE_PASSWORD',
  'MPESA_CONSUMER_KEY',
  'MPESA_CONSUMER_SECRET',
  'MPESA_PASSKEY',
  'C2B_PATH_SECRET',
  'PAY_BILL_NUMBER_KEY',
  'MTN_MOMO_SUBSCRIPTION_KEY',
  'MTN_MOMO_API_KEY',
  'AIRTEL_CLIENT_ID',
  'AIRTEL_CLIENT_SECRET',
  'AIRTEL_CALLBACK_KEY',
  'CARD_API_PASSWORD',
  'CARD_NOTIFICATION_SECRET',
  'CARD_PAYER_KEY_KE',
  'CARD_PAYER_KEY_UG',
]
for (const name of names) process.stdout.write(`${name}=${randomBytes(32).toString('hex')}\n`)
process.stdout.write(`MTN_MOMO_API_USER=${randomUUID()}\n`)
// Auth signs PIN proofs with the private key, and the key service verifies them with the public one.
const pinProof = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
for (const [name, part] of Object.entries({ PRIVATE: pinProof.d, PUBLIC: pinProof.x })) {
  process.stdout.write(`PIN_PROOF_${name}_KEY=${Buffer.from(part, 'base64url').toString('hex')}\n`)
}
