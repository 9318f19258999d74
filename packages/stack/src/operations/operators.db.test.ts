import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import type { Done } from './done'
import { makeIdentityFile } from './identity'
import { environmentOf, kenyaLedgerOfFile, openBesideSilent } from './kenya-ledger.harness'
import { type Connections, openConnections } from './ledgers'
import {
  askEnrollment,
  askRetirement,
  decideEnrollment,
  decideRetirement,
  listOperators,
} from './operators'

const address = kenyaLedgerOfFile()
const dir = mkdtempSync(join(tmpdir(), 'malipo-operators-'))
const passphrase = 'correct horse battery'
let keys: Readonly<Record<'amina' | 'brian' | 'carol', OperatorIdentity>>

const inKenya = (identity: OperatorIdentity) =>
  openConnections(dir, environmentOf(address()), { identity })

async function ask<Answer>(
  connections: Connections,
  act: (connections: Connections) => Promise<Answer>,
): Promise<Answer> {
  return act(connections).finally(() => {
    connections.close()
  })
}

beforeAll(async () => {
  const keyOf = (name: string) => makeIdentityFile(join(dir, `${name}.key`), passphrase)
  keys = { amina: keyOf('amina'), brian: keyOf('brian'), carol: keyOf('carol') }
  for (const name of ['amina', 'brian'] as const) {
    const publicKey = keys[name].publicKey.toString('hex')
    await ask(inKenya(keys[name]), (connections) => askEnrollment(connections, name, publicKey))
  }
})

afterAll(() => {
  rmSync(dir, { recursive: true })
})

/** The result of an act at Kenya's ledger and at Uganda's, which does not answer. */
async function beside(
  identity: OperatorIdentity,
  act: (connections: Connections) => Promise<Done>,
): Promise<Done> {
  return ask(openBesideSilent(address(), identity), act)
}

test('an act about an operator names what one ledger did, and that the other did not answer', async () => {
  const { amina, brian, carol } = keys
  const requested = await beside(amina, (connections) =>
    askEnrollment(connections, 'carol', carol.publicKey.toString('hex')),
  )
  expect(requested.message).toBe(`carol ${carol.operatorId}: ke asked, ug no answer`)
  const enrolled = await beside(brian, (connections) =>
    decideEnrollment(connections, carol.operatorId, true),
  )
  expect(enrolled.message).toBe(`${carol.operatorId}: ke enrolled, ug no answer`)
  await ask(inKenya(amina), (connections) => askRetirement(connections, carol.operatorId))
  const retired = await beside(brian, (connections) =>
    decideRetirement(connections, carol.operatorId, true),
  )
  expect(retired).toEqual({
    message: `${carol.operatorId}: ke retired, ug no answer`,
    isDone: false,
  })
})

test('lists the operators of one ledger beside a line for one that does not answer', async () => {
  const { text, isGood } = await ask(openBesideSilent(address()), listOperators)
  expect(text).toMatch(/^ke +amina +op_/m)
  expect(text).toMatch(/\nug: no answer\n$/)
  expect(isGood).toBe(false)
})

test('an act names what one ledger did, and why another refused it', async () => {
  const unknown = makeIdentityFile(join(dir, 'dora.key'), passphrase)
  const [kenya, other] = [inKenya(keys.amina), inKenya(unknown)]
  const ledgers = [
    ...kenya.ledgers,
    ...other.ledgers.map((ledger) => ({ ...ledger, place: 'elsewhere' })),
  ]
  const { message, isDone } = await ask({ ...kenya, ledgers }, (connections) =>
    askRetirement(connections, keys.brian.operatorId),
  )
  other.close()
  expect(message).toMatch(
    /^op_\w+: ke \w[\w ]+, elsewhere refused \(op_\w+ is not an enrolled operator\)$/,
  )
  expect(isDone).toBe(false)
})

test('an act that every ledger refuses is refused for its own reason', async () => {
  const publicKey = keys.carol.publicKey.toString('hex')
  const refused = ask(inKenya(keys.amina), (connections) =>
    askEnrollment(connections, 'x', publicKey),
  )
  await expect(refused).rejects.toMatchObject({ reason: 'invalid_request' })
})

test('an enrolment is approved by the id of the key, and not by a name that has another key by now', async () => {
  const { amina, brian } = keys
  const [compared, other] = ['dalia', 'dalia-2'].map((name) =>
    makeIdentityFile(join(dir, `${name}.key`), passphrase),
  ) as [OperatorIdentity, OperatorIdentity]
  const askFor = ({ publicKey }: OperatorIdentity) =>
    ask(inKenya(amina), (connections) =>
      askEnrollment(connections, 'dalia', publicKey.toString('hex')),
    )
  const decide = (identity: OperatorIdentity, key: string, isApproved: boolean) =>
    ask(inKenya(identity), (connections) => decideEnrollment(connections, key, isApproved))
  await askFor(compared)
  expect(await decide(amina, 'dalia', false)).toEqual({
    ...{ message: 'dalia: ke withdrawn', isDone: true },
  })
  await askFor(other)

  const byName = await decide(brian, 'Dalia', true)
  expect(byName.isDone).toBe(false)
  expect(byName.message).toMatch(new RegExp(`^Which key\\?.*\\nke +${other.operatorId}$`))
  expect(await decide(brian, compared.operatorId, true)).toEqual({
    ...{ message: `${compared.operatorId}: ke operator not found`, isDone: false },
  })
  expect((await decide(brian, 'dora', true)).message).toBe('No key of the name dora is asked for.')
  expect(await decide(brian, other.operatorId, true)).toEqual({
    ...{ message: `${other.operatorId}: ke enrolled`, isDone: true },
  })
})
