import type { Captured, Settling, Statement } from './capture'

/** Returns the script lines that take the next number prepared for this client, and fail when none is left. */
const next = (sent: Script['sent']) => `\\set i :i + 1
\\if :i > :each
SELECT 1 / 0;
\\endif
\\set n :first + :client_id * :each + :i
SELECT ${Object.keys(sent).join(', ')} FROM bench_sent WHERE n = :n::bigint \\gset
`

/** Returns the text for pgbench. The script first reads the values that it will send from the table `bench_sent`. */
export function scriptText({ text, sent }: Script): string {
  return `${next(sent)}${text}`
}

/** Makes ids in the form of ours: the minute of creation, and then arbitrary characters. */
export const idFunction = `
CREATE FUNCTION bench_id(prefix text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT prefix || lpad(to_hex((n / 2500) % 4096), 3, '0') || substr(md5(n::text), 1, 21) $$`

/** A transaction that a client repeats. Its values are prepared in advance, as the ledger makes them outside SQL. */
export interface Script {
  readonly text: string
  /** For each parameter, the SQL of its text in transaction number `b.n`. */
  readonly sent: Readonly<Record<string, string>>
}

/** Settles one payment a transaction. Its provider message is stored beforehand, as in production. */
export function settleScript({ settle }: Captured): Script {
  return settlement(settle, 1)
}

/** Settles `many` payments a transaction. */
export function settleManyScript({ settleTogether }: Captured, many: number): Script {
  return settlement(settleTogether, many)
}

/**
 * Replays the ledger's transaction with the same pipelining, and with the decisions that the ledger made about the
 * captured payment.
 */
function settlement({ lock, load, save }: Settling, many: number): Script {
  const array = (one: string) => `ARRAY (SELECT ${one} FROM ${turns(many)})::text`
  const json = (sent: string | null | undefined, varied: string) => {
    const [first] = JSON.parse(sent ?? '[]') as object[]
    const same = literal(JSON.stringify(first))
    return `(SELECT jsonb_agg(${same}::jsonb || jsonb_build_object(${varied})) FROM ${turns(many)})::text`
  }
  /** Returns SQL for a JSON object whose keys are ids, and whose values are copies of the first captured value. */
  const byId = (sent: string | null | undefined, id: string, varied: string) => {
    const [first] = Object.values(JSON.parse(sent ?? '{}') as Record<string, object>)
    const same = literal(JSON.stringify(first))
    return `(SELECT jsonb_object_agg(${id}, ${same}::jsonb || jsonb_build_object('id', ${id}, ${varied})) FROM ${turns(many)})::text`
  }
  const [savedAt, transfers, courses, others, messages] = save.values
  const together = [
    'BEGIN',
    fill(lock, [':message_ids']),
    fill(load, [':message_ids', ':facts', ':receipts', literal(load.values[3])]),
  ]
  const saved = fill(save, [
    ...[`${literal(savedAt)}::timestamptz`, ':transfers', ':courses'],
    ...[':others', ':messages'],
  ])
  const loaded = ['\\startpipeline', ...together.map((sql) => `${sql};`), '\\endpipeline']
  return {
    text: [...loaded, `${saved};`, 'COMMIT;', ''].join('\n'),
    sent: {
      message_ids: array(`bench_id('pm_', n)`),
      facts: array(`'receipt'::text`),
      receipts: array(`'R' || n`),
      transfers: json(transfers, `'eventKey', ${literal('receipt:mpesa:R')} || n`),
      courses: byId(courses, `bench_id('pi_', n)`, `'receipt', 'R' || n`),
      // Each settlement has an event of a different checkout. No endpoint is switched on, so there are no deliveries.
      others: `(${literal(others)}::jsonb || jsonb_build_object('paymentEvents', ${json(
        JSON.stringify(eventsOf(others)),
        `'checkout_id', bench_id('cs_ke_', n)`,
      )}::jsonb))::text`,
      messages: byId(messages, `bench_id('pm_', n)`, `'receipt', 'R' || n`),
    },
  }
}

function eventsOf(others: string | null | undefined): readonly object[] {
  const { paymentEvents } = JSON.parse(others ?? '{}') as { paymentEvents?: readonly object[] }
  if (paymentEvents?.[0] === undefined) throw new Error('the ledger writes no events any more')
  return paymentEvents
}

/** The statement with SQL in the places of its parameters, in one line and without its comments. */
function fill({ sql, values }: Statement, given: readonly string[]): string {
  if (given.length !== values.length) throw new Error(`the ledger sends other parameters:\n${sql}`)
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'[^']*'/g, (quoted) => literal(quoted.slice(1, -1)))
    .replaceAll(/\$(\d+)/g, (_, place: string) => given[Number(place) - 1] ?? '')
    .trim()
}

/** Creates `many` checkouts a transaction, by the one statement of the ledger. */
export function createScript({ create }: Captured, many: number): Script {
  const [sent, lifeSeconds] = create.values
  const [first] = JSON.parse(sent ?? '[]') as object[]
  const same = literal(JSON.stringify(first))
  const varied = [
    `'place', n, 'id', bench_id('cs_ke_', n)`,
    `'key', 'key ' || n, 'payBillNumber', 'CS' || lpad(n::text, 8, '0')`,
  ].join(', ')
  return {
    text: `${fill(create, [':items', literal(lifeSeconds)])};\n`,
    sent: {
      items: `(SELECT jsonb_agg(${same}::jsonb || jsonb_build_object(${varied})) FROM ${turns(many)})::text`,
    },
  }
}

const turns = (many: number) =>
  `generate_series((b.n - 1) * ${String(many)} + 1, b.n * ${String(many)}) AS turn (n)`

/** Reads any of the checkouts from `:first` to `:rows`. */
export function readScript({ read }: Captured): string {
  return `\\set n random(:first, :rows)\n${fill(read, [`ARRAY[bench_id('cs_ke_', :n::bigint)]`])};\n`
}

/** Escapes colons, as pgbench takes a colon before a letter for one of its variables, inside of quotes too. */
function literal(value: string | null | undefined): string {
  if (value == null) return 'NULL'
  const quoted = value.replaceAll("'", "''")
  if (!/:[a-z_]/i.test(value)) return `'${quoted}'`
  return `E'${quoted.replaceAll('\\', '\\\\').replaceAll(':', '\\x3a')}'`
}
