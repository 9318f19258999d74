// Writes new secrets for docker-compose.yml: node packages/stack/bin/compose-env.mjs .env. Prints them without a file.
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
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
const lines = names.map((name) => `${name}=${randomBytes(32).toString('hex')}`)
lines.push(`MTN_MOMO_API_USER=${randomUUID()}`)
// Auth signs PIN proofs with the private key, and the key service verifies them with the public one.
const pinProof = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
for (const [name, part] of Object.entries({ PRIVATE: pinProof.d, PUBLIC: pinProof.x })) {
  lines.push(`PIN_PROOF_${name}_KEY=${Buffer.from(part, 'base64url').toString('hex')}`)
}
const text = lines.map((line) => `${line}\n`).join('')

const [file] = process.argv.slice(2)
if (file === undefined) process.stdout.write(text)
else {
  try {
    // `wx` never overwrites a file: without its secrets the data that they protect is lost.
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    process.stderr.write(
      `${file} is there already, with secrets that may be in use: nothing was written\n`,
    )
    process.exitCode = 1
  }
}
