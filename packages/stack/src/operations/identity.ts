import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { writePrivateFile } from '../private-file'

const passphraseLengthMin = 12

/**
 * Where an operator's private key lies. `identity`: a file, or the name of one in DIR/operators; absent: the only one
 * there.
 */
export function findIdentityFile(dir: string, identity: string | undefined): string {
  const folder = join(dir, 'operators')
  if (identity !== undefined && /[/\\.]/.test(identity)) return resolve(identity)
  if (identity !== undefined) return join(folder, `${identity.toLowerCase()}.key`)
  const files = existsSync(folder) ? readdirSync(folder).filter((it) => it.endsWith('.key')) : []
  const [only] = files
  if (only !== undefined && files.length === 1) return join(folder, only)
  const names = files.map((file) => file.replace(/\.key$/, '')).join(', ')
  throw new Error(
    files.length === 0
      ? `No operator has a key in ${folder}. Make one: npm run operate -- enroll NAME`
      : `Which operator are you? --identity, one of ${names}, or a file`,
  )
}

/** Opens the key of a file. Throws what to do where the file is missing, open to others, or not of this passphrase. */
export function openIdentityFile(file: string, passphrase: string): OperatorIdentity {
  if (!existsSync(file)) {
    throw new Error(`There is no key ${file}. Make one: npm run operate -- enroll NAME`)
  }
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new Error(`Other users can read ${file}: chmod 600 ${file}`)
  }
  try {
    const privateKey = createPrivateKey({ key: readFileSync(file), passphrase })
    return openOperatorIdentity(privateKey)
  } catch (error) {
    throw new Error(`${file} does not open with this passphrase`, { cause: error })
  }
}

/** Makes a key pair and keeps it, encrypted, in a file that its owner alone can read. Never overwrites one. */
export function makeIdentityFile(file: string, passphrase: string): OperatorIdentity {
  if (existsSync(file)) throw new Error(`${file} exists`)
  if (passphrase.length < passphraseLengthMin) {
    throw new Error(`The passphrase needs at least ${String(passphraseLengthMin)} characters`)
  }
  const { privateKey } = generateKeyPairSync('ed25519')
  const format = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const
  writePrivateFile(file, privateKey.export(format).toString())
  return openOperatorIdentity(privateKey)
}

/** Reads OPERATOR_PASSPHRASE_FILE or OPERATOR_PASSPHRASE; without them asks at the terminal, and does not show it. */
export async function readPassphrase(
  environment: NodeJS.ProcessEnv,
  { isNew }: { readonly isNew: boolean },
): Promise<string> {
  const { OPERATOR_PASSPHRASE: given, OPERATOR_PASSPHRASE_FILE: file } = environment
  if (file !== undefined) return readFileSync(file, 'utf8').trimEnd()
  if (given !== undefined) return given
  if (!process.stdin.isTTY) {
    throw new Error(
      'Your passphrase is asked for at a terminal; without one set OPERATOR_PASSPHRASE_FILE or OPERATOR_PASSPHRASE',
    )
  }
  if (!isNew) return askHidden('Passphrase: ')
  const first = await askHidden('New passphrase, at least 12 characters: ')
  if ((await askHidden('The same again: ')) !== first) throw new Error('The two differ')
  return first
}

/** Asks at the terminal, and shows nothing of what is typed. */
export function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  // The terminal is in raw mode, and this output drops the characters that it would show.
  const output = new Writable({
    write(_chunk, _encoding, done) {
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  return new Promise((answer, reject) => {
    terminal.once('SIGINT', () => {
      terminal.close()
      reject(new Error('Nothing was given'))
    })
    terminal.question('', (text) => {
      terminal.close()
      process.stderr.write('\n')
      answer(text)
    })
  })
}
