import { type Done, wordsOf } from './done'
import type { LedgerConnection } from '@malipo/ledger-client/connection'
import { type EveryAnswer, inEveryLedger, type Listing, listingOf } from './every-ledger'
import type { Connections } from './ledgers'

/** Asks to enrol a key that another person made by `enroll`. */
export async function askEnrollment(
  connections: Connections,
  name: string,
  key: string,
): Promise<Done> {
  const publicKey = Buffer.from(key, 'hex')
  if (key.length !== 64 || publicKey.length !== 32) {
    throw new Error('Whose key? operators ask NAME KEY, where `enroll NAME` has printed the key')
  }
  const everyAnswer = await inEveryLedger(connections, async ({ writes }) =>
    writes.enrollOperator({ name, publicKey }),
  )
  const { text, isDone } = summary(everyAnswer, /_OUTCOME_(?:ASKED|ENROLLED)$/)
  return { message: `${name} ${everyAnswer.answers[0]?.[1].operatorId ?? ''}: ${text}`, isDone }
}

/** A key is approved by its id alone: another may have been asked for under its name since the two were compared. */
export async function decideEnrollment(
  connections: Connections,
  named: string,
  agreed: boolean,
): Promise<Done> {
  if (agreed && !named.startsWith('op_')) return askWhichKey(connections, named)
  return decide(connections, named, /_OUTCOME_(?:ENROLLED|WITHDRAWN)$/, ({ writes }, operatorId) =>
    writes.decideEnrollment({ operatorId, agreed }),
  )
}

async function askWhichKey(connections: Connections, name: string): Promise<Done> {
  const { answers, failures } = await inEveryLedger(connections, readOperators)
  const waiting = answers.flatMap(([country, operators]) =>
    operators
      .filter((one) => one.name === name.toLowerCase() && one.status === 'asked')
      .map(({ operatorId }) => [country, operatorId]),
  )
  const none = `No key of the name ${name} is asked for.`
  const which = `Which key? Compare with the id that enroll printed for ${name}: operators approve op_…`
  return {
    message:
      `${waiting.length === 0 ? none : which}\n${listingOf(waiting, [], failures).text}`.trimEnd(),
    isDone: false,
  }
}

export async function askRetirement(connections: Connections, named: string): Promise<Done> {
  return decide(connections, named, /_OUTCOME_(?:ASKED|RETIRED)$/, ({ writes }, operatorId) =>
    writes.askRetirement({ operatorId }),
  )
}

export async function decideRetirement(
  connections: Connections,
  named: string,
  agreed: boolean,
): Promise<Done> {
  return decide(connections, named, /_OUTCOME_(?:RETIRED|WITHDRAWN)$/, ({ writes }, operatorId) =>
    writes.decideRetirement({ operatorId, agreed }),
  )
}

/** Lists current and retired operators and requested enrollments, of every ledger. */
export async function listOperators(connections: Connections): Promise<Listing> {
  const { answers, failures } = await inEveryLedger(connections, readOperators)
  const rows = answers.flatMap(([country, operators]) =>
    operators.map((one) => [
      country,
      one.name,
      one.operatorId,
      one.status,
      one.askedBy === undefined && one.status !== 'asked' ? 'at installation' : (one.askedBy ?? ''),
      one.enrolledBy ?? '',
      [one.retirementAskedBy, one.retiredBy].filter(Boolean).join(', '),
    ]),
  )
  const head = ['country', 'name', 'operator', 'status', 'asked by', 'agreed by', 'retired by']
  return listingOf([head, ...rows], [], failures)
}

async function readOperators({ reads }: LedgerConnection) {
  const { operators } = await reads.listOperators({})
  return operators
}

/** Does an act at each ledger. The operator is named by id, or by the name of one who is not retired. */
async function decide<Answer extends { readonly outcome: string }>(
  connections: Connections,
  named: string,
  whenDone: RegExp,
  ask: (connection: LedgerConnection, operatorId: string) => Promise<Answer>,
): Promise<Done> {
  const answers = await inEveryLedger(connections, async (connection) => {
    const found = (await readOperators(connection)).find(
      ({ operatorId, name, status }) =>
        operatorId === named || (name === named.toLowerCase() && status !== 'retired'),
    )
    return ask(connection, found?.operatorId ?? named)
  })
  const { text, isDone } = summary(answers, whenDone)
  return { message: `${named}: ${text}`, isDone }
}

/** The outcomes of all ledgers, as `ke enrolled, ug no answer`. */
function summary(
  { answers, failures }: EveryAnswer<{ readonly outcome: string }>,
  whenDone: RegExp,
): { text: string; isDone: boolean } {
  const outcomes = answers.map(([place, { outcome }]) => [place, wordsOf(outcome)] as const)
  return {
    text: [...outcomes, ...failures].map(([place, words]) => `${place} ${words}`).join(', '),
    isDone: failures.length === 0 && answers.every(([, { outcome }]) => whenDone.test(outcome)),
  }
}
