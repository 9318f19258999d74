// Prints new secrets for docker-compose.yml: node packages/stack/bin/compose-env.mjs > .env
import { randomBytes } from 'node:crypto'
import process from 'node:process'

const names = [
  'INTERNAL_SECRET',
  'KEY_PEPPERS',
  'KEY_CHECK_SECRET',
  'CREDENTIAL_PEPPER',
  'POSTGRES_PASSWORD',
  'MPESA_CONSUMER_KEY',
  'MPESA_CONSUMER_SECRET',
  'MPESA_PASSKEY',
]
for (const name of names) process.stdout.write(`${name}=${randomBytes(32).toString('hex')}\n`)
