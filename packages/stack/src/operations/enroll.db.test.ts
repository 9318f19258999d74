import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enroll } from './enroll'
import { makeIdentityFile, openIdentityFile } from './identity'
import { environmentOf as ledgerAt, kenyaLedgerOfFile } from './kenya-ledger.harness'
import { openConnections } from './ledgers'

const passphrase = 'correct horse battery'
const dir = mkdtempSync(join(tmpdir(), 'malipo-enroll-'))
const fileOf = (name: string) => join(dir, `${name}.key`)

const address = kenyaLedgerOfFile()

afterAll(() => {
  rmSync(dir, { recursive: true })
})

const environmentOf = (at: string) => ({ ...ledgerAt(at), OPERATOR_PASSPHRASE: passphrase })
const run = (name: string, file = fileOf(name), at = address()) =>
  enroll({ ...{ dir, name, file }, environment: environmentOf(at) })

/** Has an enrolled operator ask for the key of a person whose name elsewhere is `subject`. */
async function askFor(name: string, subject: string, by: string): Promise<string | undefined> {
  const identity = openIdentityFile(fileOf(by), passphrase)
  const { publicKey } = makeIdentityFile(fileOf(name), passphrase)
  const connections = openConnections(dir, environmentOf(address()), { identity })
  const answers = connections.ledgers.map(({ writes }) =>
    writes.enrollOperator({ name, publicKey, subject }),
  )
  const [answer] = await Promise.all(answers).finally(() => {
    connections.close()
  })
  return answer?.outcome
}

test('keeps the key file of an enrolled operator, and of one whose enrollment waits for approval', async () => {
  for (const name of ['amina', 'brian']) expect((await run(name)).isDone).toBe(true)
  const waiting = await run('carol')
  expect(waiting).toMatchObject({
    isDone: false,
    message: expect.stringMatching(/operators ask carol [0-9a-f]{64}$/m),
  })
  expect(['amina', 'brian', 'carol'].map((name) => existsSync(fileOf(name)))).toEqual([
    ...[true, true, true],
  ])
})

test('removes a new key file when the ledger refuses the operator', async () => {
  const again = join(dir, 'again.key')
  expect((await run('amina', again)).message).toMatch(/ke name taken$/)
  expect(existsSync(again)).toBe(false)
  await expect(run('x')).rejects.toMatchObject({ reason: 'invalid_request' })
  expect(existsSync(fileOf('x'))).toBe(false)
})

test('removes a new key file when a live key of another name has its subject', async () => {
  expect(await askFor('eve', 'esther', 'amina')).toBe('ENROLLMENT_OUTCOME_ASKED')
  const { message, isDone } = await run('esther')
  expect(isDone).toBe(false)
  expect(message).toMatch(/^esther op_\w+: ke subject taken$/)
  expect(existsSync(fileOf('esther'))).toBe(false)
})

test('keeps a key file that existed before a ledger refused the operator', async () => {
  const own = join(dir, 'own.key')
  makeIdentityFile(own, passphrase)
  expect((await run('amina', own)).isDone).toBe(false)
  expect(existsSync(own)).toBe(true)
})

test('keeps a new key file when the ledger’s answer was lost and it may be enrolled', async () => {
  const file = fileOf('dora')
  const { message, isDone } = await run('dora', file, '127.0.0.1:1')
  expect(isDone).toBe(false)
  expect(message).toContain('Run the same again')
  expect(existsSync(file)).toBe(true)
})
