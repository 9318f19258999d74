import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Country } from '@malipo/kernel/countries'
import { z } from 'zod'
import { writePrivateFile } from './private-file'
import type { StackFile } from './stack-file'

const hex = z.string().regex(/^[0-9a-f]+$/)
const merchant = z.object({
  requestId: z.uuid(),
  pin: z.string().regex(/^\d{4,8}$/),
  password: z.string().min(12),
  /** Kept because the key service cannot show a key twice. Absent until the first start has made it. */
  secretKey: z.string().optional(),
})

const schema = z.object({
  /** Keeps two stacks apart on one Redis. */
  stackId: hex,
  keyPepper: hex,
  keyCheckSecret: hex,
  credentialPepper: hex,
  /** Auth signs with it that a PIN was right; the key service has its public key. */
  pinProofPrivateKey: hex.default(() => secret(32)),
  postgresPassword: hex,
  /** The passwords of the services' database roles, by database. */
  databasePasswords: z
    .object({
      ...{ ledger_ke: hex, ledger_ug: hex, keys: hex, accounts: hex },
      ledger_ke_cell_1: hex.default(() => secret(16)),
      ledger_ug_cell_1: hex.default(() => secret(16)),
    })
    .default(makeDatabasePasswords),
  redisPassword: hex,
  mpesaConsumerKey: hex,
  mpesaConsumerSecret: hex,
  mpesaPasskey: hex,
  /** The secret path of M-Pesa's Pay Bill validations and confirmations. */
  c2bPathSecret: hex,
  payBillNumberKey: hex,
  mtnMomoSubscriptionKey: hex,
  mtnMomoApiUser: z.uuidv4(),
  mtnMomoApiKey: hex,
  airtelClientId: hex,
  airtelClientSecret: hex,
  airtelCallbackKey: hex,
  cardApiPassword: hex,
  cardNotificationSecret: hex,
  /** The key by which the gateway of a country encrypts card payers for the worker. */
  cardPayerKeys: (
    z.object({ ke: hex, ug: hex }) satisfies z.ZodType<Record<Country, string>>
  ).default(() => ({ ke: secret(32), ug: secret(32) })),
  merchants: z.object({ ke: merchant, ug: merchant }) satisfies z.ZodType<Record<Country, unknown>>,
  /** The demo merchants of the second cells. */
  cellMerchants: z
    .object({ ke: merchant, ug: merchant })
    .default(() => ({ ke: makeMerchant(), ug: makeMerchant() })),
})

export type Secrets = z.output<typeof schema>

/** The secrets of a stack folder, made at its first start. Only their owner may read the file. */
export function readSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json')
  if (existsSync(file)) {
    const known = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (known.success) {
      // The file gets the secrets that an older Malipo did not have yet.
      writeSecrets(dir, known.data)
      return known.data
    }
    throw new Error(`${file} is of another version of Malipo: npm start -- --fresh`)
  }
  if (existsSync(join(dir, 'postgres')) || existsSync(join(dir, 'standby'))) {
    throw new Error(
      `${file} is gone, and the databases cannot be opened without it: put your copy of it back, as npm start -- --fresh deletes them and the standby`,
    )
  }
  const secrets = makeSecrets()
  writeSecrets(dir, secrets)
  return secrets
}

/** A file that has them already stays as it is: no start puts it at risk. */
export function writeSecrets(dir: string, secrets: Secrets): void {
  const file = join(dir, 'secrets.json')
  const text = `${JSON.stringify(secrets, undefined, 2)}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writePrivateFile(file, text)
}

export function makeSecrets(): Secrets {
  return {
    stackId: secret(4),
    keyPepper: secret(32),
    keyCheckSecret: secret(32),
    credentialPepper: secret(32),
    pinProofPrivateKey: secret(32),
    postgresPassword: secret(16),
    databasePasswords: makeDatabasePasswords(),
    redisPassword: secret(16),
    mpesaConsumerKey: secret(16),
    mpesaConsumerSecret: secret(16),
    mpesaPasskey: secret(32),
    c2bPathSecret: secret(16),
    payBillNumberKey: secret(32),
    mtnMomoSubscriptionKey: secret(16),
    mtnMomoApiUser: randomUUID(),
    mtnMomoApiKey: secret(16),
    airtelClientId: secret(16),
    airtelClientSecret: secret(16),
    airtelCallbackKey: secret(16),
    cardApiPassword: secret(16),
    cardNotificationSecret: secret(16),
    cardPayerKeys: { ke: secret(32), ug: secret(32) },
    merchants: { ke: makeMerchant(), ug: makeMerchant() },
    cellMerchants: { ke: makeMerchant(), ug: makeMerchant() },
  }
}

function makeDatabasePasswords(): Record<keyof StackFile['databases'], string> {
  return {
    ...{ ledger_ke: secret(16), ledger_ug: secret(16), keys: secret(16), accounts: secret(16) },
    ...{ ledger_ke_cell_1: secret(16), ledger_ug_cell_1: secret(16) },
  }
}

function secret(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

function makeMerchant(): z.output<typeof merchant> {
  return {
    requestId: randomUUID(),
    // Eight random digits, because one in a hundred PINs of four digits is refused as too common.
    pin: String(randomInt(10_000_000, 100_000_000)),
    password: randomBytes(12).toString('base64url'),
  }
}
