import type { Captured, Statement } from './capture'

/** SQL that takes the place of a parameter, by its name: everything else is as the ledger sent it. */
type Varied = Readonly<Record<string, string>>

/** Each client takes the next of its own numbers, and fails when it has used them up. */
const next = `\\set i :i + 1
\\if :i > :each
SELECT 1 / 0;
\\endif
\\set n :first + :client_id * :each + :i
`

/** Ids as ours are: the minute they were made in, and then anything. */
export const idFunction = `
CREATE FUNCTION bench_id(prefix text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT prefix || lpad(to_hex((n / 2500) % 4096), 3, '0') || substr(md5(n::text), 1, 21) $$`

/** One settlement a transaction: the message was stored before, as it always is. */
export function settleScript({ apply }: Captured): string {
  return `${next}${spellOut(apply, settlement(':n'))};\n`
}

/** So many settlements a transaction, by one statement. What the ledger sends as text is put together here, at our cost. */
export function settleManyScript({ together }: Captured, many: number): string {
  const item = [
    `'place', n, 'message_id', bench_id('pm_', n), 'receipt', 'R' || n`,
    `'amount_minor', '50000', 'provider_request_id', 'ws_CO_bench'`,
  ].join(', ')
  const items = `SELECT jsonb_agg(jsonb_build_object(${item})) FROM ${turns(many)}`
  return `${next}${spellOut(together, { p_items: items })};\n`
}

export function createScript({ create }: Captured): string {
  const n = ':n'
  return `${next}${spellOut(create, {
    p_checkout_id: `bench_id('cs_ke_', ${n}::bigint)`,
    p_key: `'key ' || ${n}::bigint`,
    'VALUES (': `'CS' || lpad(${n}::text, 8, '0')`,
  })};\n`
}

/** So many checkouts a transaction, by one statement, put together at our cost too. */
export function createManyScript({ createTogether }: Captured, many: number): string {
  const [sent] = JSON.parse(createTogether.values[0] ?? '[]') as object[]
  const same = literal(JSON.stringify(sent))
  const varied = [
    `'place', n, 'checkout_id', bench_id('cs_ke_', n)`,
    `'key', 'key ' || n, 'pay_bill_number', 'CS' || lpad(n::text, 8, '0')`,
  ].join(', ')
  const items = `SELECT jsonb_agg(${same}::jsonb || jsonb_build_object(${varied})) FROM ${turns(many)}`
  return `${next}${spellOut(createTogether, { p_items: items })};\n`
}

const turns = (many: number) =>
  `generate_series((:n::bigint - 1) * ${String(many)} + 1, :n::bigint * ${String(many)}) AS turn (n)`

/** Reads any of the checkouts up to `:rows`. */
export function readScript({ read }: Captured): string {
  const id = `bench_id('cs_ke_', :n::bigint)`
  return `\\set n random(1, :rows)\n${spellOut(read, { '"checkout_id" = ': id })};\n`
}

function settlement(n: string): Varied {
  return {
    p_message_id: `bench_id('pm_', ${n}::bigint)`,
    p_new_intent_id: `bench_id('pi_', 1000000000 + ${n}::bigint)`,
    p_receipt: `'R' || ${n}::bigint`,
  }
}

/** The statement with its values in the places of its parameters, and some of them varied. */
function spellOut({ sql, values }: Statement, varied: Varied): string {
  let unused = Object.keys(varied)
  const spelled = sql.replace(
    /("checkout_id" = |p_\w+ => |VALUES \(|)\$(\d+)/g,
    (_, name: string, place: string) => {
      const key = name.replace(' => ', '')
      const change = key === '' ? undefined : varied[key]
      unused = unused.filter((other) => other !== key)
      return name + (change === undefined ? literal(values[Number(place) - 1]) : `(${change})`)
    },
  )
  if (unused.length > 0) throw new Error(`the ledger names no ${unused.join(', ')}:\n${sql}`)
  return spelled.replaceAll(/\s+/g, ' ')
}

function literal(value: string | null | undefined): string {
  return value == null ? 'NULL' : `'${value.replaceAll("'", "''")}'`
}
